package org.lemmata.model.part;

import org.lemmata.random.RandomStream;

/**
 * Determines the random numbers of dropout in a training step. Each site of the model has its own stream, so a backward
 * pass can generate the numbers of the forward pass again.
 *
 * @param seed the seed of the run
 * @param step the training step
 */
public record DropoutSeed(long seed, long step) {

    /** The site of the sum of embeddings. */
    public static final int EMBEDDING = 0;

    public static int ofAttention(int layer) {
        return 1 + 2 * layer;
    }

    public static int ofFeedForward(int layer) {
        return 2 + 2 * layer;
    }

    public RandomStream stream(int site) {
        return new RandomStream(seed, site, step);
    }
}
