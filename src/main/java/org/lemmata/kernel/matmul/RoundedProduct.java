package org.lemmata.kernel.matmul;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.elementary.VectorPhilox;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.quantization.RoundedMultiplyAdd;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.random.RandomStream;

/**
 * The operands of one call of {@link RoundedMatMul} with rounded steps, and the division of C into blocks, one per
 * chunk.
 *
 * <p>A row of a block is a row of running sums in binary64. Each step adds a row of B times a number of A.
 * {@value #DEPTH} rows of B, as wide as the block, are copied, and stay in the second-level cache while all rows of the
 * block use them. Copying is at most 1/{@value #ROWS} of the work of a full block.
 */
final class RoundedProduct implements Workers.Chunks {

    private static final Matrix NO_MATRIX = Matrix.empty();
    private static final int ROWS = 32;

    /** The number of columns in a block of C: a multiple of the number of random words in a tile. */
    private static final int COLUMNS = 4 * RandomStream.TILE;

    private static final int DEPTH = 256;

    /** Binary64 numbers per vector; rows of a block are padded to whole vectors. */
    private static final int LANES = Blocking.LANES / 2;

    private static final ThreadLocal<Space> SPACE = ThreadLocal.withInitial(Space::new);

    private static final class Space {
        private final double[] sums = new double[ROWS * COLUMNS];
        private final double[] b = new double[DEPTH * COLUMNS];
        private final RoundedMultiplyAdd.Space step =
                new RoundedMultiplyAdd.Space(new double[COLUMNS], new int[COLUMNS], new int[COLUMNS]);
    }

    private @Nullable RoundedMultiplyAdd step;
    private @Nullable RandomStream productStream;
    private @Nullable RandomStream sumStream;

    /** Null if sums start from zero. */
    private @Nullable Matrix start;

    private int startRowStep;

    private boolean transposedA;
    private boolean transposedB;
    private Matrix c = NO_MATRIX;
    private Matrix a = NO_MATRIX;
    private Matrix b = NO_MATRIX;
    private int k;

    /**
     * @param ofStart the matrix from which sums start, or null for zeros
     * @param rowStep the stride of the start, or 0 if all rows start from its first row
     */
    void run(
            RoundedMatMul call,
            RoundedMultiplyAdd ofSteps,
            MatMul.Form form,
            @Nullable Matrix ofStart,
            int rowStep,
            Matrix ofC,
            Matrix ofA,
            Matrix ofB) {
        step = ofSteps;
        productStream = ofSteps.products().isStochastic() ? call.productStream : null;
        sumStream = ofSteps.sums().isStochastic() ? call.sumStream : null;
        start = ofStart;
        startRowStep = rowStep;
        transposedA = form == MatMul.Form.TN;
        transposedB = form == MatMul.Form.NT;
        c = ofC;
        a = ofA;
        b = ofB;
        k = form.inner(ofA);
        try {
            call.workers.run(Math.ceilDiv(c.rows(), ROWS) * Math.ceilDiv(c.columns(), COLUMNS), this);
        } finally {
            step = null;
            productStream = null;
            sumStream = null;
            start = null;
            c = NO_MATRIX;
            a = NO_MATRIX;
            b = NO_MATRIX;
        }
    }

    @Override
    public void run(int chunk) {
        RoundedMultiplyAdd chosen = Objects.requireNonNull(step);
        int blocks = Math.ceilDiv(c.rows(), ROWS);
        int row = chunk % blocks * ROWS;
        int column = chunk / blocks * COLUMNS;
        int rows = Math.min(ROWS, c.rows() - row);
        int columns = Math.min(COLUMNS, c.columns() - column);
        Space space = SPACE.get();
        begin(space, row, rows, column, columns);
        for (int l = 0; l < k; l += DEPTH) {
            int depth = Math.min(DEPTH, k - l);
            copyB(space, l, depth, column, columns);
            for (int i = 0; i < rows; i++) {
                addRow(chosen, space, row + i, i * COLUMNS, l, depth, column, columns);
            }
        }
        end(space, row, rows, column, columns);
    }

    private static int padded(int columns) {
        return Math.ceilDiv(columns, LANES) * LANES;
    }

    private void begin(Space space, int row, int rows, int column, int columns) {
        for (int i = 0; i < rows; i++) {
            int at = i * COLUMNS;
            Arrays.fill(space.sums, at, at + padded(columns), 0);
            if (start != null) {
                int from = start.offset() + (row + i) * startRowStep + column;
                for (int j = 0; j < columns; j++) {
                    space.sums[at + j] = start.array()[from + j];
                }
            }
        }
    }

    private void end(Space space, int row, int rows, int column, int columns) {
        for (int i = 0; i < rows; i++) {
            int to = c.start(row + i) + column;
            for (int j = 0; j < columns; j++) {
                c.array()[to + j] = (float) space.sums[i * COLUMNS + j];
            }
        }
    }

    private void copyB(Space space, int l, int depth, int column, int columns) {
        double[] copy = space.b;
        for (int step = 0; step < depth; step++) {
            Arrays.fill(copy, step * COLUMNS + columns, step * COLUMNS + padded(columns), 0);
        }
        if (transposedB) {
            for (int j = 0; j < columns; j++) {
                int from = b.start(column + j) + l;
                for (int step = 0; step < depth; step++) {
                    copy[step * COLUMNS + j] = b.array()[from + step];
                }
            }
            return;
        }
        for (int step = 0; step < depth; step++) {
            int from = b.start(l + step) + column;
            for (int j = 0; j < columns; j++) {
                copy[step * COLUMNS + j] = b.array()[from + j];
            }
        }
    }

    private void addRow(
            RoundedMultiplyAdd step, Space space, int i, int at, int l, int depth, int column, int columns) {
        int width = padded(columns);
        int tiles = Math.ceilDiv(columns, RandomStream.TILE);
        int allTiles = Math.ceilDiv(c.columns(), RandomStream.TILE);
        for (int inner = l; inner < l + depth; inner++) {
            int tile = (int) (((long) i * k + inner) * allTiles + column / RandomStream.TILE);
            if (productStream != null) {
                VectorPhilox.tilesInto(space.step.productWords(), tile, tiles, productStream);
            }
            if (sumStream != null) {
                VectorPhilox.tilesInto(space.step.sumWords(), tile, tiles, sumStream);
            }
            boolean rounded = inner > 0 || start == null;
            double left = transposedA ? a.get(inner, i) : a.get(i, inner);
            step.add(space.sums, at, rounded, left, space.b, (inner - l) * COLUMNS, width, space.step);
        }
    }
}
