package org.lemmata.bits;

/** Where a matrix lies: element (i, j) at {@code offset + i * stride + j}. */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares or prints it.
record Rows(float[] data, int offset, int stride) {}
