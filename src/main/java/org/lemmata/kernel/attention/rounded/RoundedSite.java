package org.lemmata.kernel.attention.rounded;

import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.attention.AttentionPacking;
import org.lemmata.number.Rounding;
import org.lemmata.random.RandomStream;

/** A site of the reference: its rounding, and the random words of the stream that it takes them from. */
final class RoundedSite {

    private final @Nullable Rounding rounding;
    private final int[] words = new int[RandomStream.TILE];
    private RandomStream stream;
    private long tile = -1;
    private long next;

    RoundedSite(@Nullable Rounding rounding, RandomStream stream) {
        this.rounding = rounding;
        this.stream = stream;
    }

    /** Takes words from another stream. */
    void setStream(RandomStream newStream) {
        stream = newStream;
        tile = -1;
    }

    /** The number that {@code x} goes to, with the word of an element. */
    float round(float x, long element) {
        return rounding == null ? x : rounding.round(x, word(rounding, element));
    }

    /** Rounds a matrix in place. */
    void round(float[] x, int rows, int columns) {
        long stride = AttentionPacking.roundUp(columns, RandomStream.TILE);
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                x[row * columns + column] = round(x[row * columns + column], row * stride + column);
            }
        }
    }

    /** sum + x y: fused, or the product and the sum rounded with the next two words. */
    float addProduct(float sum, float x, float y) {
        return rounding == null ? Math.fma(x, y, sum) : add(sum, multiply(x, y));
    }

    /** A product of two binary32 numbers has at most 48 significand bits: binary64 holds it. */
    float multiply(float x, float y) {
        return rounding == null ? x * y : (float) rounding.round((double) x * y, word(rounding, next++));
    }

    float add(float x, float y) {
        return rounding == null ? x + y : rounding.roundSum(x, y, word(rounding, next++));
    }

    /** The inner product added to {@code sum}, in ascending order. */
    float addDot(float sum, float[] x, int xOffset, float[] y, int yOffset, int length) {
        float result = sum;
        for (int d = 0; d < length; d++) {
            result = addProduct(result, x[xOffset + d], y[yOffset + d]);
        }
        return result;
    }

    /** y += factor x, for {@code length} elements. */
    void addScaled(float[] y, int yOffset, float factor, float[] x, int xOffset, int length) {
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
