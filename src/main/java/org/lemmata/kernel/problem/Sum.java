package org.lemmata.kernel.problem;

import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;

/**
 * What is expected of a number, in binary64.
 *
 * @param size the sum of the absolute terms, which the error of a sum is to be measured by
 */
public record Sum(double value, double size) {

    public static Sum of(double... terms) {
        return of(terms.length, i -> terms[i]);
    }

    public static Sum of(int count, IntToDoubleFunction terms) {
        double value = 0;
        double size = 0;
        for (int i = 0; i < count; i++) {
            double term = terms.applyAsDouble(i);
            value += term;
            size += Math.abs(term);
        }
        return new Sum(value, size);
    }

    /** Of sums: their sizes are added up likewise. */
    public static Sum ofSums(int count, IntFunction<Sum> sums) {
        double value = 0;
        double size = 0;
        for (int i = 0; i < count; i++) {
            Sum sum = sums.apply(i);
            value += sum.value;
            size += sum.size;
        }
        return new Sum(value, size);
    }

    public Sum times(double factor) {
        return new Sum(factor * value, Math.abs(factor) * size);
    }

    /** A number whose error is measured in ulps of it. */
    public static Sum inUlps(double value) {
        return new Sum(value, Math.ulp((float) value) * 0x1p23);
    }

    /** The error of a result in units of 2^-23 of the size. */
    public double ulps(float actual) {
        double error = Math.abs(actual - value);
        return error == 0 ? 0 : error / (size * 0x1p-23);
    }
}
