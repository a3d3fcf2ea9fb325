package org.lemmata.model.part;

import org.lemmata.random.RandomStream;

/**
 * Which random numbers decide what a step drops: each site of the model has a stream of its own, so that a backward
 * pass makes the same ones again.
 *
 * @param seed of the run
 * @param step of the training
 */
public record DropoutSeed(long seed, long step) {

    /** The sum of embeddings. */
    public static final int EMBEDDING = 0;

    /** What the attention of a layer adds. */
    public static int ofAttention(int layer) {
        return 1 + 2 * layer;
    }

    /** What the feed-forward of a layer adds. */
    public static int ofFeedForward(int layer) {
        return 2 + 2 * layer;
    }

    public RandomStream stream(int site) {
        return new RandomStream(seed, site, step);
    }
}
