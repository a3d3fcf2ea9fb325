package org.lemmata.kernel.matrix;

import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.elementary.Extents;

/**
 * A view of a row-major matrix within an array: element (i, j) is at {@code offset + i * stride + j}, and the stride is
 * at least the number of columns. A vector is a matrix of one row.
 *
 * <p>A view is checked when it is placed, and operations read its fields when they are called. Views of weights are
 * created once. A view of scratch space is reused and placed again by {@link #at} when sizes change, so that a step
 * allocates nothing. Methods must not place views that are passed to them. Only one thread at a time may place a view;
 * any thread may read it.
 *
 * <p>Source: the object interface of BLIS, Van Zee and van de Geijn (2015), BLIS: a framework for rapidly instantiating
 * BLAS functionality.
 */
public final class Matrix {

    private static final float[] NOTHING = {};

    private float[] array = NOTHING;
    private int offset;
    private int rows;
    private int columns;
    private int stride;

    private Matrix() {}

    /** A new view of size 0 x 0, to be placed later. */
    public static Matrix empty() {
        return new Matrix();
    }

    /** A new view, checked as in {@link #at(float[], int, int, int, int)}. */
    public static Matrix of(float[] array, int offset, int rows, int columns, int stride) {
        return new Matrix().at(array, offset, rows, columns, stride);
    }

    public static Matrix of(float[] array, int rows, int columns) {
        return of(array, 0, rows, columns, columns);
    }

    public static Matrix row(float[] array, int offset, int columns) {
        return of(array, offset, 1, columns, columns);
    }

    /**
     * Places this view, and returns it.
     *
     * @throws IllegalArgumentException if a size is negative or, for a matrix with elements, the stride is below the
     *     number of columns or the matrix does not lie within the array. The view is then unchanged
     */
    public Matrix at(float[] array, int offset, int rows, int columns, int stride) {
        Extents.checkMatrix("matrix", array, offset, stride, rows, columns);
        this.array = array;
        this.offset = offset;
        this.rows = rows;
        this.columns = columns;
        this.stride = stride;
        return this;
    }

    /** Places this view at a matrix without gaps between its rows, from offset 0 on, and returns it. */
    public Matrix at(float[] array, int rows, int columns) {
        return at(array, 0, rows, columns, columns);
    }

    /**
     * Places this view at {@code count} rows of another from row {@code first} on, and returns it.
     *
     * @throws IllegalArgumentException if the other matrix does not have these rows
     */
    public Matrix atRows(Matrix of, int first, int count) {
        if (first < 0 || count < 0 || count > of.rows - first) {
            throw new IllegalArgumentException(
                    "rows: expected a part of " + of.rows + ", got " + count + " from " + first + " on");
        }
        array = of.array;
        offset = of.offset + first * of.stride;
        rows = count;
        columns = of.columns;
        stride = of.stride;
        return this;
    }

    /** Makes this view empty, so that the garbage collector can free its array. */
    public void clear() {
        at(NOTHING, 0, 0);
    }

    public float[] array() {
        return array;
    }

    public int offset() {
        return offset;
    }

    public int rows() {
        return rows;
    }

    public int columns() {
        return columns;
    }

    public int stride() {
        return stride;
    }

    public int start(int i) {
        return offset + i * stride;
    }

    public float get(int i, int j) {
        return array[offset + i * stride + j];
    }

    /**
     * Checks the sizes of an argument.
     *
     * @throws IllegalArgumentException if the matrix has other sizes
     */
    public void require(String name, int expectedRows, int expectedColumns) {
        if (rows != expectedRows || columns != expectedColumns) {
            throw new IllegalArgumentException(
                    name + ": expected " + expectedRows + " x " + expectedColumns + ", got " + rows + " x " + columns);
        }
    }

    /**
     * Checks an argument that is used as one contiguous range of elements.
     *
     * @throws IllegalArgumentException if the matrix has other sizes, or gaps between its rows
     */
    public void requireDense(String name, int expectedRows, int expectedColumns) {
        require(name, expectedRows, expectedColumns);
        if (rows > 1 && stride != columns) {
            throw new IllegalArgumentException(
                    name + ": expected no gaps between rows of " + columns + ", got stride " + stride);
        }
    }

    public static void requireIfPresent(String name, @Nullable Matrix matrix, int rows, int columns) {
        if (matrix != null) {
            matrix.require(name, rows, columns);
        }
    }

    @Override
    public String toString() {
        return rows + " x " + columns + " at " + offset + ", stride " + stride + ", of " + array.length + " elements";
    }
}
