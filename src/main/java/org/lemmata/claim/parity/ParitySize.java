package org.lemmata.claim.parity;

import java.util.List;
import java.util.random.RandomGenerator;
import org.lemmata.argument.Refuse;
import org.lemmata.claim.Cases;
import org.lemmata.claim.Tally;
import org.lemmata.construct.parity.SelfConsistency;
import org.lemmata.index.ParityTree;
import org.lemmata.index.SignColumns;
import org.lemmata.setting.Setting;

/**
 * A size of a learning problem.
 *
 * @param bits d
 * @param size k
 * @param samples n, or {@link #ALL}
 */
record ParitySize(int bits, int size, int samples) {

    /** The value of n that means: every input occurs once. Gradients are then population gradients. */
    static final int ALL = 0;

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

    static Cases<ParitySize> cases(String... rows) {
        return Cases.of("d, k, n", row -> new ParitySize(row.integer(0), row.integer(1), row.integer(2)), rows);
    }

    ParityDraw draw(int tests, long seed) {
        return ParityDraw.of(bits, size, samples, tests, seed);
    }

    @Override
    public String toString() {
        return "(" + bits + ", " + size + ", " + (samples == ALL ? "all inputs" : samples) + ")";
    }

    /**
     * The random data of one seed: a subset of the bits with its tree, training samples with the values of all nodes,
     * augmented samples without answers, and fresh samples.
     */
    record ParityDraw(ParityTree tree, SignColumns signs, SignColumns augmented, SignColumns fresh) {

        /** Draws the data of one seed, with {@code tests} fresh samples. */
        static ParityDraw of(int bits, int size, int samples, int tests, long seed) {
            RandomGenerator random = Tally.random(seed);
            ParityTree tree = ParityTree.random(bits, size, random);
            return new ParityDraw(
                    tree,
                    tree.complete(samples == ParitySize.ALL ? all(bits) : SignColumns.random(bits, samples, random)),
                    SignColumns.random(bits, SelfConsistency.augmented(bits), random),
                    tree.complete(SignColumns.random(bits, tests, random)));
        }

        private static SignColumns all(int bits) {
            var all = new SignColumns(bits, 1 << bits);
            for (int x = 0; x < 1 << bits; x++) {
                for (int j = 0; j < bits; j++) {
                    all.set(j, x, (x >> j & 1) == 1);
                }
            }
            return all;
        }
    }
}
