package org.lemmata.kernel.matmul;

import static org.lemmata.kernel.matmul.Blocking.COLUMNS;
import static org.lemmata.kernel.matmul.Blocking.LANES;

import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.thread.Workers;

/**
 * C = start + op(A) op(B): the operands of one call, and the division of C into chunks.
 *
 * <p>Element (i, j) of the start is at {@code startOffset + i * startRowStep + j * startColumnStep}. Steps of 0 make
 * all sums start from one zero, or all rows start from one row of biases.
 */
final class Product implements Workers.Chunks {

    private static final float[] NOTHING = {};

    /** The start of sums that start from zero: a row as wide as a tile. */
    private static final float[] ZEROS = new float[COLUMNS];

    /**
     * The minimum number of multiply-adds in a chunk: about 20 microseconds of work, so that handing it to a thread
     * pays off.
     */
    private static final long MIN_CHUNK = 1L << 20;

    MatMul.Form form = MatMul.Form.NN;
    float[] start = NOTHING;
    int startOffset;
    int startRowStep;
    int startColumnStep;
    float[] c = NOTHING;
    int cOffset;
    int cStride;
    float[] a = NOTHING;
    int aOffset;
    int aStride;
    float[] b = NOTHING;
    int bOffset;
    int bStride;
    int m;
    int n;
    int k;

    private boolean splitRows;

    /** The number of rows or columns of a tile; chunks consist of whole tiles. */
    private int unit;

    private int units;
    private int chunks;

    void startFromZero() {
        startFrom(ZEROS, 0, 0, 0);
    }

    boolean startsFromC() {
        return startRowStep > 0;
    }

    void startFrom(float[] start, int startOffset, int startRowStep, int startColumnStep) {
        this.start = start;
        this.startOffset = startOffset;
        this.startRowStep = startRowStep;
        this.startColumnStep = startColumnStep;
    }

    void run(Workers workers, MatMul.Form ofOperands, Matrix ofC, Matrix ofA, Matrix ofB) {
        form = ofOperands;
        c = ofC.array();
        cOffset = ofC.offset();
        cStride = ofC.stride();
        a = ofA.array();
        aOffset = ofA.offset();
        aStride = ofA.stride();
        b = ofB.array();
        bOffset = ofB.offset();
        bStride = ofB.stride();
        m = ofC.rows();
        n = ofC.columns();
        k = form.inner(ofA);
        try {
            if (m == 0 || n == 0) {
                return;
            }
            if ((long) n * k < LANES) {
                multiplySmall();
                return;
            }
            splitRows = m >= n;
            unit = splitRows ? Tile12x2.ROWS : COLUMNS;
            units = Math.ceilDiv(splitRows ? m : n, unit);
            chunks = Math.min(units, chunks(workers.threads()));
            workers.run(chunks, this);
        } finally {
            start = NOTHING;
            c = NOTHING;
            a = NOTHING;
            b = NOTHING;
        }
    }

    /**
     * The number of chunks: two per thread if chunks are long enough, so that a delayed thread delays the product less.
     */
    private int chunks(int threads) {
        // With fewer rows than a tile has, reading B takes as long as with a whole tile.
        long most = (long) Math.max(m, Tile12x2.ROWS) * n * k / MIN_CHUNK;
        if (threads == 1 || most < 2) {
            return 1;
        }
        return most >= 8L * threads ? 2 * threads : (int) Math.min(threads, most);
    }

    @Override
    public void run(int chunk) {
        if (chunks == 1) {
            multiply(0, m, 0, n);
            return;
        }
        int from = startOf(chunk);
        int size = startOf(chunk + 1) - from;
        if (splitRows) {
            multiply(from, size, 0, n);
        } else {
            multiply(0, m, from, size);
        }
    }

    private void multiply(int row, int rows, int column, int columns) {
        if (rows == 1 && columns >= LANES && form == MatMul.Form.NN) {
            Tile1x8.multiply(
                    start,
                    startOffset + row * startRowStep + column * startColumnStep,
                    startColumnStep,
                    c,
                    cOffset + row * cStride + column,
                    a,
                    aOffset + row * aStride,
                    b,
                    bOffset + column,
                    bStride,
                    columns,
                    k);
            return;
        }
        int whole = rows == 1 && form == MatMul.Form.NT ? columns - columns % TransposedRow.COLUMNS : 0;
        if (whole > 0) {
            TransposedRow.multiply(
                    start,
                    startOffset + row * startRowStep + column * startColumnStep,
                    startColumnStep,
                    c,
                    cOffset + row * cStride + column,
                    a,
                    aOffset + row * aStride,
                    b,
                    bOffset + column * bStride,
                    bStride,
                    whole,
                    k);
        }
        if (whole < columns) {
            BlockedProduct.ofThread().multiply(this, row, rows, column + whole, columns - whole);
        }
    }

    /**
     * The first row or column of a chunk. Chunk sizes differ by at most one tile: 256 rows in four chunks are 60, 72,
     * 60 and 64 rows, not 72, 72, 72 and 40.
     */
    private int startOf(int chunk) {
        return Math.min(splitRows ? m : n, (int) ((long) units * chunk / chunks) * unit);
    }

    /** Computes one element at a time. If B does not fill a vector, packing it would dominate the work. */
    private void multiplySmall() {
        int aRowStep = form == MatMul.Form.TN ? 1 : aStride;
        int aInnerStep = form == MatMul.Form.TN ? aStride : 1;
        int bInnerStep = form == MatMul.Form.NT ? 1 : bStride;
        int bColumnStep = form == MatMul.Form.NT ? bStride : 1;
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                float sum = start[startOffset + i * startRowStep + j * startColumnStep];
                for (int l = 0; l < k; l++) {
                    int aAt = aOffset + i * aRowStep + l * aInnerStep;
                    sum = Math.fma(a[aAt], b[bOffset + l * bInnerStep + j * bColumnStep], sum);
                }
                c[cOffset + i * cStride + j] = sum;
            }
        }
    }
}
