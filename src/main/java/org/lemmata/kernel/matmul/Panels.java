package org.lemmata.kernel.matmul;

import static org.lemmata.kernel.matmul.Blocking.COLUMNS;
import static org.lemmata.kernel.matmul.Blocking.LANES;

/**
 * A copy of B in the order in which tiles read it: panels two vectors wide, each row by row.
 *
 * <p>If the number of vectors is odd, the first panel is one vector wide. The last panel may be narrower than two
 * vectors. The elements after its columns are undefined, except that a B narrower than a vector is padded with zeros.
 *
 * <p>Each object serves one thread and keeps its array, which grows as needed.
 */
public final class Panels {

    private float[] data = {};
    private int depth;
    private int columns;

    /** Packs {@code newDepth} rows of {@code newColumns} columns. The first row begins at {@code at}. */
    public void pack(float[] b, int at, int stride, int newDepth, int newColumns) {
        reserve(newDepth, newColumns);
        int first = width(0) == LANES ? LANES : 0;
        int whole = (columns - first) / COLUMNS;
        int last = first + whole * COLUMNS;
        Packing.panels(data, at(first), b, at + first, stride, whole, depth);
        packNarrow(b, at, stride, 0, first);
        packNarrow(b, at, stride, last, columns - last);
    }

    private void packNarrow(float[] b, int at, int stride, int j, int width) {
        if (width > 0) {
            Packing.panel(data, at(j), b, at + j, stride, width, depth);
        }
    }

    /** Packs the transpose of {@code newColumns} rows of {@code newDepth} columns. */
    public void packTransposed(float[] b, int at, int stride, int newDepth, int newColumns) {
        reserve(newDepth, newColumns);
        for (int j = 0, width; j < columns; j += width) {
            width = width(j);
            Packing.transposedPanel(data, at(j), b, at + j * stride, stride, width, depth);
        }
    }

    private void reserve(int newDepth, int newColumns) {
        depth = newDepth;
        columns = newColumns;
        if (data.length < size()) {
            data = new float[size()];
        }
    }

    public float[] data() {
        return data;
    }

    public int size() {
        return at(columns);
    }

    public int depth() {
        return depth;
    }

    public int columns() {
        return columns;
    }

    /** The width of the panel that begins with column j. */
    public int width(int j) {
        return width(columns, j);
    }

    /** The width of the panel at column j. If the number of vectors is odd, the first panel is one vector wide. */
    static int width(int columns, int j) {
        int rest = columns % COLUMNS;
        boolean odd = j == 0 && rest > 0 && rest <= LANES;
        return Math.min(columns - j, odd ? LANES : COLUMNS);
    }

    /** The offset of the panel that begins with column j. */
    public int at(int j) {
        return Math.ceilDiv(j, COLUMNS) * depth * COLUMNS;
    }
}
