package org.lemmata.bits;

import org.lemmata.kernel.matrix.Matrix;

/** Where a matrix lies: element (i, j) at {@code offset + i * stride + j}. */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares or prints it.
record Rows(float[] data, int offset, int stride) {

    Matrix matrix(int rows, int columns) {
        return Matrix.of(data, offset, rows, columns, stride);
    }
}
