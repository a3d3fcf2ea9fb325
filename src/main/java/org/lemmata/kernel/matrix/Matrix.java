package org.lemmata.kernel.matrix;

import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.elementary.Extents;

/**
 * A view of a row-major matrix within an array: element (i, j) lies at {@code offset + i * stride + j}, the stride
 * being at least the number of columns. A vector is a matrix of one row.
 *
 * <p>It is checked where it is placed, and operations take its numbers at their entry. Views of weights are made once.
 * A view of working space is kept and placed anew, by {@link #at}, when sizes change: so a step allocates nothing.
 * Nobody places a view that was given to them. One thread at a time may place it; any may read it.
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

    /** A view of nothing, 0 x 0, to be placed. */
    public static Matrix empty() {
        return new Matrix();
    }

    /** A new view, checked as {@link #at(float[], int, int, int, int)} does. */
    public static Matrix of(float[] array, int offset, int rows, int columns, int stride) {
        return new Matrix().at(array, offset, rows, columns, stride);
    }

    /** A new view of rows without gaps, the first at 0. */
    public static Matrix of(float[] array, int rows, int columns) {
        return of(array, 0, rows, columns, columns);
    }

    /** A new view of a vector. */
    public static Matrix row(float[] array, int offset, int columns) {
        return of(array, offset, 1, columns, columns);
    }

    /**
     * Places this view, and returns it.
     *
     * @throws IllegalArgumentException if a size is negative, the stride is below the number of columns, or the matrix
     *     does not lie within the array; the view is then as it was
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

    /** The same, of rows without gaps, the first at 0. */
    public Matrix at(float[] array, int rows, int columns) {
        return at(array, 0, rows, columns, columns);
    }

    /**
     * Places this view at {@code count} rows of another from row {@code first} on, and returns it.
     *
     * @throws IllegalArgumentException if the other has not these rows
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

    /** Makes this a view of nothing, so that it keeps no array alive. */
    public void clear() {
        at(NOTHING, 0, 0);
    }

    public float[] array() {
        return array;
    }

    /** Where element (0, 0) lies. */
    public int offset() {
        return offset;
    }

    public int rows() {
        return rows;
    }

    public int columns() {
        return columns;
    }

    /** How far apart rows begin. */
    public int stride() {
        return stride;
    }

    /** Where row {@code i} begins. */
    public int start(int i) {
        return offset + i * stride;
    }

    /** Element (i, j). */
    public float get(int i, int j) {
        return array[offset + i * stride + j];
    }

    /**
     * The check that operations make of an argument.
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
     * The same, for operations that take a matrix as one run of elements.
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

    /** {@link #require} of a matrix that may be left out. */
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
