package org.lemmata.measure.precision;

import java.util.Arrays;
import org.lemmata.number.NumberFormat;
import org.lemmata.number.Rounding;
import org.lemmata.random.RandomStream;

/**
 * Sums of weights with every addition rounded, in ascending order.
 *
 * <p>The law: above 2^p, numbers of p bits are 2 apart, so adding 1 to 2^p gives 2^p to nearest even. A sum of ones is
 * therefore exact up to n = 2^p, or to the largest number, and then constant.
 */
public final class RunningSum {

    /** A limit far above 2^p of all tested formats. */
    private static final int MAXIMUM = 1 << 26;

    private RunningSum() {}

    /**
     * The sum of {@code n} ones; with a stochastic mode, addition i uses word i.
     *
     * @param stream used only by stochastic rounding
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

    /** The largest n for which all sums of up to n ones are exact to nearest even; at most 2^26. */
    public static int maxCountOfOnes(NumberFormat format) {
        Rounding rounding = Rounding.toNearestEven(format);
        float sum = 0;
        for (int n = 0; n < MAXIMUM; n++) {
            sum = rounding.roundSum(sum, 1, 0);
            // Compared in binary64: an int would be converted to binary32, and could equal an inexact sum.
            if (sum != n + 1.0) {
                return n;
            }
        }
        return MAXIMUM;
    }

    /** {@link #maxCountOfOnes} by the law: the minimum of 2^p and the largest integer. */
    public static int maxCountOfOnesByLaw(NumberFormat format) {
        return (int) Math.min(Math.scalb(1.0, format.significandBits()), Math.floor(format.maxFinite()));
    }

    /**
     * The relative error of the sum of softmax weights of the last row of a head, compared with the exact sum of the
     * rounded weights: each weight is rounded, then every addition.
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
