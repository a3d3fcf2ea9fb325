package org.lemmata.kernel.problem;

import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;

/**
 * The expected value of a number, in binary64, and the scale of its error.
 *
 * @param size the sum of the absolute terms, relative to which errors are measured
 */
public record Expected(double value, double size) {

    public static Expected of(double... terms) {
        return of(terms.length, i -> terms[i]);
    }

    public static Expected of(int count, IntToDoubleFunction terms) {
        double value = 0;
        double size = 0;
        for (int i = 0; i < count; i++) {
            double term = terms.applyAsDouble(i);
            value += term;
            size += Math.abs(term);
        }
        return new Expected(value, size);
    }

    /** The sum of {@code count} sums. Its size is the sum of the sizes of the sums. */
    public static Expected ofSums(int count, IntFunction<Expected> sums) {
        double value = 0;
        double size = 0;
        for (int i = 0; i < count; i++) {
            Expected sum = sums.apply(i);
            value += sum.value;
            size += sum.size;
        }
        return new Expected(value, size);
    }

    public Expected times(double factor) {
        return new Expected(factor * value, Math.abs(factor) * size);
    }

    /** A number whose error is measured in its ulps. */
    public static Expected inUlps(double value) {
        return new Expected(value, Math.ulp((float) value) * 0x1p23);
    }

    /** The error of {@code actual} in units of 2^-23 of the size. */
    public double ulps(float actual) {
        double error = Math.abs(actual - value);
        return error == 0 ? 0 : error / (size * 0x1p-23);
    }
}
