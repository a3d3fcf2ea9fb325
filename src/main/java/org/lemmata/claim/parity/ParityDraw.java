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
     * @param samples n
     * @param tests how many fresh ones
     */
    static ParityDraw of(int bits, int size, int samples, int tests, long seed) {
        RandomGenerator random = Tally.random(seed);
        ParityTree tree = ParityTree.random(bits, size, random);
        return new ParityDraw(
                tree,
                tree.complete(SignColumns.random(bits, samples, random)),
                SignColumns.random(bits, SelfConsistency.augmented(bits), random),
                tree.complete(SignColumns.random(bits, tests, random)));
    }
}
