package org.lemmata.claim.parity;

import java.util.random.RandomGenerator;
import org.lemmata.claim.Tally;
import org.lemmata.construct.parity.SelfConsistency;
import org.lemmata.index.ParityTree;
import org.lemmata.index.SignColumns;

/**
 * All that one seed draws: a subset, samples to learn from with the columns of all nodes, augmented ones without
 * answers, and fresh ones.
 */
record ParityDraw(ParityTree tree, SignColumns signs, SignColumns augmented, SignColumns fresh) {

    /**
     * Draws.
     *
     * @param bits d
     * @param size k
     * @param samples n, or {@link ParitySize#ALL}
     * @param tests how many fresh ones
     */
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
