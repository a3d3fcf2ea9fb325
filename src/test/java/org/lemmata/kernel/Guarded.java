package org.lemmata.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.lemmata.kernel.matrix.Matrix;

/**
 * Matrices with an offset and gaps between their rows. The elements around an operand are NaN, so that reading one
 * spoils a result; those around a result are a sentinel, which must not be overwritten.
 */
public final class Guarded {

    public static final float SENTINEL = -12345;

    private static final int PADDING = 3;

    private Guarded() {}

    public static Matrix operand(float[]... rows) {
        return of(PADDING, Float.NaN, rows);
    }

    public static Matrix operand(float[] numbers, int rows, int columns) {
        return of(numbers, rows, columns, PADDING, Float.NaN);
    }

    /** A result matrix filled with sentinels. */
    public static Matrix result(int rows, int columns) {
        float[] sentinels = new float[rows * columns];
        Arrays.fill(sentinels, SENTINEL);
        return result(sentinels, rows, columns);
    }

    public static Matrix result(float[] numbers, int rows, int columns) {
        return of(numbers, rows, columns, PADDING, SENTINEL);
    }

    public static Matrix of(int padding, float around, float[]... rows) {
        int columns = rows[0].length;
        float[] numbers = new float[rows.length * columns];
        for (int i = 0; i < rows.length; i++) {
            System.arraycopy(rows[i], 0, numbers, i * columns, columns);
        }
        return of(numbers, rows.length, columns, padding, around);
    }

    /** A matrix with these numbers, row by row, and {@code padding} elements between rows. */
    public static Matrix of(float[] numbers, int rows, int columns, int padding, float around) {
        int stride = columns + padding;
        int offset = 1 + columns % 5;
        float[] array = new float[offset + rows * stride + 2];
        Arrays.fill(array, around);
        for (int i = 0; i < rows; i++) {
            System.arraycopy(numbers, i * columns, array, offset + i * stride, columns);
        }
        return Matrix.of(array, offset, rows, columns, stride);
    }

    /** Splits numbers into rows. */
    public static float[][] rows(float[] numbers, int rows) {
        int columns = numbers.length / rows;
        float[][] parts = new float[rows][];
        Arrays.setAll(parts, i -> Arrays.copyOfRange(numbers, i * columns, (i + 1) * columns));
        return parts;
    }

    /** The rows without gaps; fails if an element around them was changed. */
    public static float[] numbers(Matrix matrix) {
        float[] array = matrix.array();
        float[] numbers = new float[matrix.rows() * matrix.columns()];
        int stride = Math.max(1, matrix.stride());
        for (int at = 0; at < array.length; at++) {
            int row = Math.floorDiv(at - matrix.offset(), stride);
            int column = at - matrix.offset() - row * stride;
            if (row >= 0 && row < matrix.rows() && column < matrix.columns()) {
                numbers[row * matrix.columns() + column] = array[at];
            } else if (Float.floatToIntBits(array[at]) != Float.floatToIntBits(array[0])) {
                throw new AssertionError(
                        "element " + at + " around a matrix: expected " + array[0] + ", got " + array[at]);
            }
        }
        return numbers;
    }

    public static float[] filled(int length, DoubleSupplier elements) {
        float[] x = new float[length];
        for (int i = 0; i < length; i++) {
            x[i] = (float) elements.getAsDouble();
        }
        return x;
    }

    /** Numbers from -range to range. */
    public static float[] uniform(int length, double range, RandomGenerator random) {
        return filled(length, () -> random.nextDouble(-range, range));
    }

    /**
     * Fails if a number is not within a bound of the exact one.
     *
     * @param name called only for a failure, because there are millions of numbers
     */
    public static void assertWithin(float actual, double exact, double bound, Supplier<String> name) {
        if (!(Math.abs(actual - exact) <= bound)) {
            assertThat((double) actual)
                    .as("%s, error bound %s", name.get(), bound)
                    .isEqualTo(exact);
        }
    }

    public static double[] widened(float[] x) {
        double[] wide = new double[x.length];
        Arrays.setAll(wide, i -> x[i]);
        return wide;
    }
}
