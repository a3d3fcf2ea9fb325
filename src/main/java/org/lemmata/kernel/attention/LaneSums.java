package org.lemmata.kernel.attention;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;

/**
 * Sums of products of binary32 numbers, each product and each partial sum rounded to nearest even as if exact, on lanes of
 * binary64.
 *
 * <p>binary64 holds the product of two binary32 numbers. It may round the sum of two numbers of p &lt;= 24 bits, but then
 * one of them is so small beside the other, by 2^29 or more, that their sum is not the middle of two neighbours of p bits
 * and stays on its side of it: rounding again gives what rounding once gives. Source: Figueroa (1995), When is double
 * rounding innocuous?, SIGNUM Newsletter 30(3): 53 &gt;= 2 p + 2.
 *
 * <p>With q the distance of neighbours at x, adding and subtracting 1.5 * 2^52 q rounds x to a multiple of q: q follows from
 * the exponent bits of x, with the least exponent of the format as a bound. Zeros come out as +0.
 */
final class LaneSums {

    private static final VectorSpecies<Double> SPECIES = VectorSpecies.of(double.class, Species.FLOAT.vectorShape());

    static final int LANES = SPECIES.length();

    private static final long EXPONENT = 0x7FF0_0000_0000_0000L;

    /** 2^emin. */
    private double leastPower;

    /** 2^(emax + 1): what is beyond overflows whatever its neighbours are, and infinity stays. */
    private double greatestPower;

    /** 1.5 * 2^52 times the neighbours' distance at 1. */
    private double rounder;

    private double greatest;
    private long overflow;

    /** Whether a rounding can be had here: to nearest even, with subnormals, to a format that binary32 contains. */
    static boolean canRound(Rounding rounding) {
        return rounding.mode() == Rounding.Mode.TIES_TO_EVEN
                && rounding.subnormals()
                && rounding.format() instanceof FloatFormat format
                && format.significandBits() <= Float.PRECISION
                && format.minExponent() >= Float.MIN_EXPONENT
                && format.maxExponent() <= Float.MAX_EXPONENT;
    }

    void prepare(Rounding rounding) {
        if (!(rounding.format() instanceof FloatFormat format)) {
            throw new IllegalArgumentException("format: expected one that canRound allows, got " + rounding.label());
        }
        leastPower = Math.scalb(1.0, format.minExponent());
        greatestPower = Math.scalb(1.0, format.maxExponent() + 1);
        rounder = Math.scalb(1.5, FloatFormat.BINARY64.significandBits() - format.significandBits());
        greatest = format.maxFinite();
        overflow = Double.doubleToRawLongBits(rounding.round(Double.POSITIVE_INFINITY));
    }

    /**
     * sums_c += sum_l a_l b_lc for the lanes c of a vector, l ascending: a_l is at {@code aAt + l * aStride}, b_lc at
     * {@code bAt + l * bStride + c}.
     */
    void addProducts(
            double[] sums, int at, float[] a, int aAt, int aStride, double[] b, int bAt, int bStride, int count) {
        double least = leastPower;
        double most = greatestPower;
        double scale = rounder;
        double limit = greatest;
        long beyond = overflow;
        DoubleVector sum = DoubleVector.fromArray(SPECIES, sums, at);
        for (int l = 0; l < count; l++) {
            DoubleVector x = DoubleVector.fromArray(SPECIES, b, bAt + l * bStride).mul(a[aAt + l * aStride]);
            DoubleVector power = x.reinterpretAsLongs().and(EXPONENT).reinterpretAsDoubles();
            power = power.blend(least, power.compare(VectorOperators.LT, least));
            power = power.blend(most, power.compare(VectorOperators.GT, most)).mul(scale);
            DoubleVector rounded = x.add(power).sub(power);
            VectorMask<Double> over = rounded.abs().compare(VectorOperators.GT, limit);
            DoubleVector product = rounded.blend(
                    x.reinterpretAsLongs().and(Long.MIN_VALUE).or(beyond).reinterpretAsDoubles(), over);

            x = sum.add(product);
            power = x.reinterpretAsLongs().and(EXPONENT).reinterpretAsDoubles();
            power = power.blend(least, power.compare(VectorOperators.LT, least));
            power = power.blend(most, power.compare(VectorOperators.GT, most)).mul(scale);
            rounded = x.add(power).sub(power);
            over = rounded.abs().compare(VectorOperators.GT, limit);
            sum = rounded.blend(
                    x.reinterpretAsLongs().and(Long.MIN_VALUE).or(beyond).reinterpretAsDoubles(), over);
        }
        sum.intoArray(sums, at);
    }
}
