package org.lemmata.claim.parity;

import java.util.List;
import org.lemmata.argument.Refuse;
import org.lemmata.claim.Scope;
import org.lemmata.index.ParityTree;
import org.lemmata.setting.Setting;

/**
 * A size that is learned at.
 *
 * @param bits d
 * @param size k
 * @param samples n, or {@link #ALL}
 */
record ParitySize(int bits, int size, int samples) {

    /** Every input once, so that gradients are those of the population. */
    static final int ALL = 0;

    /** Numbers of bits whose parities have powers of two of bits, as {@link Setting#numbers} has them. */
    static final String POWERS = "4, 8, 16, 32, 64, 128, 256, 512";

    ParitySize {
        Refuse.when(size > bits, "k", "at most d = " + bits, size);
    }

    static final List<Setting> SETTINGS = Setting.numbers("""
        d | 2..%s | 16 | bits; without d, k and n the sizes of the budget are tested
        k | 2, 4, 8, 16, 32, 64, 128, 256, 512 | 8 | bits of the parity
        n | 1..1000000 | 20000 | samples
        seeds | 1..100 | | draws of each size; by default as the budget has it
        """.formatted(ParityTree.MAX_BITS));

    /** Those of a budget, or of a user's settings. */
    static List<ParitySize> of(Scope scope, List<ParitySize> ofBudget) {
        return scope.each(
                ofBudget, one -> new ParitySize(one.integer("d"), one.integer("k"), one.integer("n")), "d", "k", "n");
    }

    ParityDraw draw(int tests, long seed) {
        return ParityDraw.of(bits, size, samples, tests, seed);
    }

    @Override
    public String toString() {
        return "(" + bits + ", " + size + ", " + (samples == ALL ? "all inputs" : samples) + ")";
    }
}
