package org.lemmata.kernel.dropout;

import org.lemmata.random.Philox;
import org.lemmata.random.RandomStream;

/** The scalar reference: computes one element at a time. */
public final class ScalarDropout implements Dropout {

    @Override
    public void forward(
            float[] y, int yOffset, float[] x, int xOffset, int length, double probability, RandomStream stream) {
        Dropout.check(y, yOffset, x, xOffset, length, probability);
        int threshold = Dropout.threshold(probability);
        float scale = Dropout.scale(threshold);
        int[] words = new int[BLOCKS * Philox.WORDS];
        for (int i = 0; i < length; i++) {
            if (i % TILE == 0) {
                for (int block = 0; block < BLOCKS; block++) {
                    stream.blockInto(words, block * Philox.WORDS, i / TILE * BLOCKS + block);
                }
            }
            boolean kept = bits(words, i % TILE) >= threshold;
            y[yOffset + i] = kept ? x[xOffset + i] * scale : 0;
        }
    }

    /** The 16 random bits of an element of a tile. */
    private static int bits(int[] words, int element) {
        int q = element / 16;
        int r = element % 16;
        int word = words[r / 2 * Philox.WORDS + r % 2 + 2 * (q / 2)];
        return q % 2 == 0 ? word & 0xFFFF : word >>> 16;
    }
}
