package org.lemmata.claim.parity;

import java.util.List;
import java.util.Optional;
import org.lemmata.index.ParityTree;
import org.lemmata.setting.Setting;
import org.lemmata.setting.Settings;

/**
 * A size that is learned at.
 *
 * @param bits d
 * @param size k
 * @param samples n
 */
record ParitySize(int bits, int size, int samples) {

    private static final int MAX_SAMPLES = 1_000_000;

    /** Settings of one size, which a user gives all or none of. */
    static final List<Setting> SETTINGS = Setting.table("""
        d | | bits, 2 to %s; several sizes by default
        k | | bits of the parity, a power of two, at most d
        n | | samples, 1 to %s
        """.formatted(ParityTree.MAX_BITS, MAX_SAMPLES));

    /** The size that was given, or those of a budget. */
    static List<ParitySize> of(Settings settings, List<ParitySize> otherwise) {
        Optional<Integer> bits = settings.integer("d", 2, ParityTree.MAX_BITS);
        if (bits.isEmpty() && settings.text("k").isEmpty() && settings.text("n").isEmpty()) {
            return otherwise;
        }
        int d = settings.requiredInteger("d", 2, ParityTree.MAX_BITS);
        int k = settings.requiredInteger("k", 2, d);
        if (Integer.bitCount(k) != 1) {
            throw new IllegalArgumentException("k: expected a power of two, got " + k);
        }
        return List.of(new ParitySize(d, k, settings.requiredInteger("n", 1, MAX_SAMPLES)));
    }

    ParityDraw draw(int tests, long seed) {
        return ParityDraw.of(bits, size, samples, tests, seed);
    }

    @Override
    public String toString() {
        return "(" + bits + ", " + size + ", " + samples + ")";
    }
}
