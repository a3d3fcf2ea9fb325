package org.lemmata.kernel.matmul;

import static org.lemmata.kernel.matmul.Blocking.COLUMNS;
import static org.lemmata.kernel.matmul.Blocking.LANES;

import org.jspecify.annotations.Nullable;
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

    private static final Matrix NO_MATRIX = Matrix.empty();

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
    Matrix c = NO_MATRIX;
    Matrix a = NO_MATRIX;
    Matrix b = NO_MATRIX;
    int k;

    private boolean splitRows;

    /** The number of rows or columns of a tile; chunks consist of whole tiles. */
    private int unit;

    private int units;
    private int chunks;

    /**
     * @param ofStart the matrix from which sums start, or null for zeros
     * @param rowStep the stride of the start, or 0 if all rows start from its first row
     */
    void run(
            Workers workers,
            MatMul.Form ofOperands,
            @Nullable Matrix ofStart,
            int rowStep,
            Matrix ofC,
            Matrix ofA,
            Matrix ofB) {
        form = ofOperands;
        start = ofStart == null ? ZEROS : ofStart.array();
        startOffset = ofStart == null ? 0 : ofStart.offset();
        startRowStep = rowStep;
        startColumnStep = ofStart == null ? 0 : 1;
        c = ofC;
        a = ofA;
        b = ofB;
        k = form.inner(a);
        int m = c.rows();
        int n = c.columns();
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
            c = NO_MATRIX;
            a = NO_MATRIX;
            b = NO_MATRIX;
        }
    }

    /**
     * The number of chunks: two per thread if chunks are long enough, so that a delayed thread delays the product less.
     */
    private int chunks(int threads) {
        // With fewer rows than a tile has, reading B takes as long as with a whole tile.
        long most = (long) Math.max(c.rows(), Tile12x2.ROWS) * c.columns() * k / MIN_CHUNK;
        if (threads == 1 || most < 2) {
            return 1;
        }
        return most >= 8L * threads ? 2 * threads : (int) Math.min(threads, most);
    }

    @Override
    public void run(int chunk) {
        if (chunks == 1) {
            multiply(0, c.rows(), 0, c.columns());
            return;
        }
        int from = startOf(chunk);
        int size = startOf(chunk + 1) - from;
        if (splitRows) {
            multiply(from, size, 0, c.columns());
        } else {
            multiply(0, c.rows(), from, size);
        }
    }

    private void multiply(int row, int rows, int column, int columns) {
        if (rows == 1 && columns >= LANES && form == MatMul.Form.NN) {
            Tile1x8.multiply(this, row, column, columns);
            return;
        }
        int whole = rows == 1 && form == MatMul.Form.NT ? columns - columns % TransposedRow.COLUMNS : 0;
        if (whole > 0) {
            TransposedRow.multiply(this, row, column, whole);
        }
        if (whole < columns) {
            BlockedProduct.OF_THREAD.get().multiply(this, row, rows, column + whole, columns - whole);
        }
    }

    int startAt(int row, int column) {
        return startOffset + row * startRowStep + column * startColumnStep;
    }

    /**
     * The first row or column of a chunk. Chunk sizes differ by at most one tile: 256 rows in four chunks are 60, 72,
     * 60 and 64 rows, not 72, 72, 72 and 40.
     */
    private int startOf(int chunk) {
        return Math.min(splitRows ? c.rows() : c.columns(), (int) ((long) units * chunk / chunks) * unit);
    }

    /** Computes one element at a time. If B does not fill a vector, packing it would dominate the work. */
    private void multiplySmall() {
        int aRowStep = form == MatMul.Form.TN ? 1 : a.stride();
        int aInnerStep = form == MatMul.Form.TN ? a.stride() : 1;
        int bInnerStep = form == MatMul.Form.NT ? 1 : b.stride();
        int bColumnStep = form == MatMul.Form.NT ? b.stride() : 1;
        float[] left = a.array();
        float[] right = b.array();
        for (int i = 0; i < c.rows(); i++) {
            for (int j = 0; j < c.columns(); j++) {
                float sum = start[startOffset + i * startRowStep + j * startColumnStep];
                for (int l = 0; l < k; l++) {
                    int aAt = a.offset() + i * aRowStep + l * aInnerStep;
                    sum = Math.fma(left[aAt], right[b.offset() + l * bInnerStep + j * bColumnStep], sum);
                }
                c.array()[c.start(i) + j] = sum;
            }
        }
    }
}
