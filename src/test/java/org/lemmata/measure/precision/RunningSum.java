package org.lemmata.measure.precision;

import java.util.Arrays;
import org.lemmata.number.NumberFormat;
import org.lemmata.number.Rounding;
import org.lemmata.random.RandomStream;

/**
 * Sums of weights with every addition rounded, in ascending order.
 *
 * <p>The law: next to a sum of 2^p numbers lie 2 apart, so that adding 1 to nearest even stays there. A sum of ones is
 * right up to n = 2^p, or to the largest number, and to nearest even it then stands still.
 */
public final class RunningSum {

    /** Far beyond 2^p of every format that the law is tried on. */
    private static final int MAXIMUM = 1 << 26;

    private RunningSum() {}

    /**
     * The sum of {@code n} ones; word i decides addition i where the mode is stochastic.
     *
     * @param stream read by stochastic rounding alone
     */
    public static float ofOnes(int n, Rounding rounding, RandomStream stream) {
        float[] ones = new float[n];
        Arrays.fill(ones, 1);
        return of(ones, rounding, stream);
    }

    private static float of(float[] values, Rounding rounding, RandomStream stream) {
        int[] words = new int[RandomStream.TILE];
        float sum = 0;
        for (int i = 0; i < values.length; i++) {
            if (i % RandomStream.TILE == 0 && rounding.isStochastic()) {
                stream.tileInto(words, 0, i / RandomStream.TILE);
            }
            sum = rounding.roundSum(sum, values[i], words[i % RandomStream.TILE]);
        }
        return sum;
    }

    /**
     * The largest n for which the sum of n ones to nearest even is n, and that of every fewer is right; at most 2^26.
     */
    public static int maxCountOfOnes(NumberFormat format) {
        Rounding rounding = Rounding.toNearestEven(format);
        float sum = 0;
        for (int n = 0; n < MAXIMUM; n++) {
            sum = rounding.roundSum(sum, 1, 0);
            // As binary64: an int would be narrowed to binary32, and so would agree with a sum that stands still.
            if (sum != n + 1.0) {
                return n;
            }
        }
        return MAXIMUM;
    }

    /** What the law says of {@link #maxCountOfOnes}: the minimum of 2^p and the largest whole number. */
    public static int maxCountOfOnesByLaw(NumberFormat format) {
        return (int) Math.min(Math.scalb(1.0, format.significandBits()), Math.floor(format.maxFinite()));
    }

    /**
     * How far the sum of the softmax weights of the last row of a head is from the exact sum of the rounded weights, as
     * a part of it: each weight rounded, then every addition.
     */
    public static double errorOfWeights(long seed, int length, Rounding rounding) {
        double[] scores = NormalHead.of(seed, length).scores(length - 1, length);
        double maximum = NormalHead.TopTwo.of(scores, length).maximum();
        float[] weights = new float[length];
        double exact = 0;
        for (int j = 0; j < length; j++) {
            weights[j] = (float) rounding.round(StrictMath.exp(scores[j] - maximum));
            exact += weights[j];
        }
        return of(weights, rounding, new RandomStream(seed, 0, 0)) / exact - 1;
    }
}
