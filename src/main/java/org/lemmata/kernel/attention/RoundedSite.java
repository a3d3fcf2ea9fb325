package org.lemmata.kernel.attention;

import org.jspecify.annotations.Nullable;
import org.lemmata.number.Rounding;
import org.lemmata.random.RandomStream;

/**
 * A rounding site of the scalar reference: its rounding and the stream of its random words. The site of sums also
 * defines how sums are computed: if {@code rounding} is null, in binary32, and fused if {@code fused} is true.
 */
final class RoundedSite {

    private final @Nullable Rounding rounding;
    private final boolean fused;
    private final RandomStream all;
    private final int[] words = new int[RandomStream.TILE];
    private RandomStream stream;
    private long tile = -1;
    private long next;

    private RoundedSite(@Nullable Rounding rounding, boolean fused, RandomStream stream) {
        this.rounding = rounding;
        this.fused = fused;
        this.all = stream;
        this.stream = stream;
    }

    /** If {@code rounding} is null, nothing is rounded, and products and sums are fused. */
    RoundedSite(@Nullable Rounding rounding, RandomStream stream) {
        this(rounding, rounding == null, stream);
    }

    /** A site at which each product and each sum is rounded to binary32. */
    static RoundedSite plain() {
        return new RoundedSite(null, false, new RandomStream(0, 0, 0));
    }

    boolean isPlain() {
        return rounding == null && !fused;
    }

    /** Switches to the stream of a block: the site's stream with {@code number} * 2^32 added to its step. */
    void startBlock(long number) {
        if (rounding != null && rounding.isStochastic()) {
            stream = new RandomStream(all.seed(), all.stream(), all.step() + (number << Integer.SIZE));
            tile = -1;
        }
    }

    float round(float x, long element) {
        return rounding == null ? x : rounding.round(x, word(rounding, element));
    }

    void round(float[] x, int rows, int columns) {
        long stride = AttentionPacking.roundUp(columns, RandomStream.TILE);
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                x[row * columns + column] = round(x[row * columns + column], row * stride + column);
            }
        }
    }

    /** sum + x y: either fused, or with product and sum rounded separately, using the next two random words. */
    float addProduct(float sum, float x, float y) {
        return fused ? Math.fma(x, y, sum) : add(sum, multiply(x, y));
    }

    /** x y, rounded once. The exact product has at most 48 significand bits, so binary64 represents it. */
    float multiply(float x, float y) {
        return rounding == null ? x * y : (float) rounding.round((double) x * y, word(rounding, next++));
    }

    float add(float x, float y) {
        return rounding == null ? x + y : rounding.roundSum(x, y, word(rounding, next++));
    }

    /** Adds the inner product of x and y to {@code sum}, one product at a time in ascending order. */
    float addDot(float sum, float[] x, int xOffset, float[] y, int yOffset, int length) {
        float result = sum;
        if (isPlain()) {
            for (int d = 0; d < length; d++) {
                result += x[xOffset + d] * y[yOffset + d];
            }
            return result;
        }
        for (int d = 0; d < length; d++) {
            result = addProduct(result, x[xOffset + d], y[yOffset + d]);
        }
        return result;
    }

    /** y += factor x, for {@code length} elements. */
    void addScaled(float[] y, int yOffset, float factor, float[] x, int xOffset, int length) {
        if (isPlain()) {
            for (int d = 0; d < length; d++) {
                y[yOffset + d] += factor * x[xOffset + d];
            }
            return;
        }
        for (int d = 0; d < length; d++) {
            y[yOffset + d] = addProduct(y[yOffset + d], factor, x[xOffset + d]);
        }
    }

    private int word(Rounding stochastic, long element) {
        if (!stochastic.isStochastic()) {
            return 0;
        }
        if (element / RandomStream.TILE != tile) {
            tile = element / RandomStream.TILE;
            stream.tileInto(words, 0, (int) tile);
        }
        return words[(int) (element % RandomStream.TILE)];
    }
}
