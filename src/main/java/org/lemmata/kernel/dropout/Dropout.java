package org.lemmata.kernel.dropout;

import org.lemmata.argument.Refuse;
import org.lemmata.kernel.elementary.Extents;
import org.lemmata.random.RandomStream;

/**
 * Dropout: y_i = x_i / (1 - p) with probability 1 - p, else 0.
 *
 * <p>p is rounded to the nearest multiple of 2^-16, also in the scale, so that the mean of y_i is x_i. For p up to
 * 2^-17 no element is dropped; from 1 - 2^-17 on every element is dropped, so that the mean is 0. An element is dropped
 * if its 16 random bits, as an integer, are below 65536 p. Dropped elements become +0, for any x_i; kept elements are
 * x_i times 1 / (1 - p), which is computed in binary64 and rounded to binary32. If p rounds to 0, y = x.
 *
 * <p>The random bits of element i depend only on i and the stream. So the mask is the same for every implementation,
 * number of lanes and number of threads, and the backward pass recomputes it. Elements form tiles of 64; tile t uses
 * blocks 8 t to 8 t + 7 of the stream. Element 16 q + r of a tile uses word r % 2 + 2 (q / 2) of block r / 2, with
 * integer division: the low half if q is even, otherwise the high half.
 *
 * <p>Source: Srivastava, Hinton, Krizhevsky, Sutskever and Salakhutdinov (2014), Dropout: a simple way to prevent
 * neural networks from overfitting, in the form that scales during training.
 */
public sealed interface Dropout permits ScalarDropout, VectorDropout {

    int TILE = 64;

    /** Blocks of {@link org.lemmata.random.Philox} per tile. */
    int BLOCKS = 8;

    /**
     * Overwrites {@code length} outputs, which must be the inputs themselves or not overlap them.
     *
     * @param probability p, in [0, 1]
     * @param stream the source of random bits; must differ for each use and each step
     * @throws IllegalArgumentException if the elements do not lie within their arrays, or p is out of range
     */
    void forward(float[] y, int yOffset, float[] x, int xOffset, int length, double probability, RandomStream stream);

    /**
     * Overwrites dx: dx_i = dy_i / (1 - p) if x_i was kept, else 0.
     *
     * @throws IllegalArgumentException as in {@link #forward}
     */
    default void backward(
            float[] dx, int dxOffset, float[] dy, int dyOffset, int length, double probability, RandomStream stream) {
        // The map is linear and diagonal, so it is its own transpose.
        forward(dx, dxOffset, dy, dyOffset, length, probability, stream);
    }

    /** 65536 p: elements whose random bits are below this are dropped. */
    static int threshold(double probability) {
        return (int) Math.rint(65536 * probability);
    }

    /** 1 / (1 - p). */
    static float scale(int threshold) {
        return (float) (65536.0 / (65536 - threshold));
    }

    static void check(float[] y, int yOffset, float[] x, int xOffset, int length, double probability) {
        Refuse.when(!(probability >= 0 && probability <= 1), "probability", "0 to 1", probability);
        Extents.checkVector("y", y, yOffset, length);
        Extents.checkVector("x", x, xOffset, length);
    }
}
