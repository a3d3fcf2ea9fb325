package org.lemmata.bits;

import java.util.SplittableRandom;
import org.lemmata.kernel.matrix.Matrix;

/** Random numbers that depend only on a seed: multiples of 2^-23 from -1 to below 1. */
final class Drawn {

    private final SplittableRandom random;

    Drawn(long seed) {
        random = new SplittableRandom(seed);
    }

    float number() {
        return (random.nextInt() >> 8) * 0x1p-23f;
    }

    float[] numbers(int length) {
        float[] numbers = new float[length];
        for (int i = 0; i < length; i++) {
            numbers[i] = number();
        }
        return numbers;
    }

    /** Random bit patterns, including all exponents, subnormal numbers, infinities and NaN. */
    float[] patterns(int length) {
        float[] numbers = new float[length];
        float[] special = {0f, -0f, 1f, -1f, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.NaN};
        for (int i = 0; i < length; i++) {
            numbers[i] = i < special.length ? special[i] : Float.intBitsToFloat(random.nextInt());
        }
        return numbers;
    }

    /** Numbers from 0 to below {@code bound}. */
    int[] ids(int length, int bound) {
        int[] ids = new int[length];
        for (int i = 0; i < length; i++) {
            ids[i] = (random.nextInt() >>> 8) % bound;
        }
        return ids;
    }

    /** A matrix surrounded by other numbers, which kernels must not change. */
    Matrix rows(int rows, int columns) {
        int stride = columns + 3;
        return Matrix.of(numbers(5 + rows * stride), 5, rows, columns, stride);
    }

    /** A row surrounded by other numbers. */
    Matrix row(int columns) {
        return rows(1, columns);
    }
}
