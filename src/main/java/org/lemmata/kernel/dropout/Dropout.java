package org.lemmata.kernel.dropout;

import org.lemmata.argument.Refuse;
import org.lemmata.kernel.elementary.Extents;
import org.lemmata.random.RandomStream;

/**
 * y_i = x_i / (1 - p) with probability 1 - p, else 0.
 *
 * <p>p is rounded to the nearest multiple of 2^-16, here and in the scale, so that the mean of y_i is x_i. Hence up to
 * 2^-17 nothing is dropped, and from 1 - 2^-17 on everything is, in which case the mean is 0. An element is dropped if
 * its 16 random bits, as an integer, are below 65536 p; what is dropped is +0, whatever x_i was, and what is kept is
 * x_i times 1 / (1 - p), computed in binary64 and rounded to binary32. With p rounded to 0 nothing is drawn and y = x.
 *
 * <p>The bits of element i are a function of i and of the stream alone, so that every implementation, lane width and
 * number of threads has the same mask, and the backward pass computes it once more. Elements stand in tiles of 64, tile
 * t using the blocks 8 t to 8 t + 7 of the stream. Element 16 q + r of a tile takes block r / 2, word r % 2 + 2 (q / 2)
 * and of it the low half if q is even, else the high half.
 *
 * <p>Source: Srivastava, Hinton, Krizhevsky, Sutskever and Salakhutdinov (2014), Dropout: a simple way to prevent
 * neural networks from overfitting, in the form that scales while training.
 */
public sealed interface Dropout permits ScalarDropout, VectorDropout {

    /** Elements whose random bits belong together. */
    int TILE = 64;

    /** Blocks of {@link org.lemmata.random.Philox} that a tile takes. */
    int BLOCKS = 8;

    /**
     * Overwrites {@code length} outputs, which are the inputs themselves or do not overlap them.
     *
     * @param probability p, in [0, 1]
     * @param stream where the random bits come from: another one for each use, in each step
     * @throws IllegalArgumentException if the elements do not lie within their arrays, or p is out of range
     */
    void forward(float[] y, int yOffset, float[] x, int xOffset, int length, double probability, RandomStream stream);

    /**
     * dx_i = dy_i / (1 - p) where x_i was kept, else 0: overwrites dx.
     *
     * @throws IllegalArgumentException as {@link #forward}
     */
    default void backward(
            float[] dx, int dxOffset, float[] dy, int dyOffset, int length, double probability, RandomStream stream) {
        // The map is linear and diagonal: its own transpose.
        forward(dx, dxOffset, dy, dyOffset, length, probability, stream);
    }

    /** 65536 p: elements whose bits are below are dropped. */
    static int threshold(double probability) {
        return (int) Math.rint(65536 * probability);
    }

    /** 1 / (1 - p). */
    static float scale(int threshold) {
        return (float) (65536.0 / (65536 - threshold));
    }

    /** The argument check that every implementation makes first. */
    static void check(float[] y, int yOffset, float[] x, int xOffset, int length, double probability) {
        Refuse.when(!(probability >= 0 && probability <= 1), "probability", "0 to 1", probability);
        Extents.checkVector("y", y, yOffset, length);
        Extents.checkVector("x", x, xOffset, length);
    }
}
