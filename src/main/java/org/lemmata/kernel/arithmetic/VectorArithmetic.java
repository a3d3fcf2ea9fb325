package org.lemmata.kernel.arithmetic;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.thread.Workers;

/**
 * Runs on SIMD lanes, in chunks of elements or of rows.
 *
 * <p>Elements that do not fill a vector at the end of a row are computed one at a time; in sums of four rows, 128-bit
 * vectors are used first. Rows are read in order, four at a time, because reading down columns would touch a page per
 * row. Calls allocate nothing once the calling thread has space for the sums of blocks: at most
 * {@link Arithmetic#MAX_BLOCKS} rows of the widest matrix.
 */
public final class VectorArithmetic implements Arithmetic {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private static final int LANES = SPECIES.length();

    private static final VectorSpecies<Float> NARROW = FloatVector.SPECIES_128;

    private static final int NARROW_LANES = NARROW.length();

    /** The number of elements in a chunk: about ten microseconds of work. */
    private static final int CHUNK = 1 << 16;

    private static final ThreadLocal<Job> JOB = ThreadLocal.withInitial(Job::new);

    private static final float[] NONE = {};

    private final Workers workers;

    public VectorArithmetic(Workers workers) {
        this.workers = workers;
    }

    private enum Operation {
        ADD,
        SCALE,
        ADD_ROWS
    }

    private static final class Job implements Workers.Chunks {

        private Operation operation = Operation.ADD;
        private float[] y = NONE;
        private int yOffset;
        private float[] x = NONE;
        private int xOffset;
        private int xStride;
        private int length;
        private float factor;
        private int rows;
        private int blockRows;
        private int columns;
        private float[] blockSums = NONE;

        @Override
        public void run(int chunk) {
            if (operation == Operation.ADD_ROWS) {
                int first = chunk * blockRows;
                int count = Math.min(blockRows, rows - first);
                sumRows(blockSums, chunk * columns, x, xOffset + first * xStride, xStride, count, columns);
                return;
            }
            int start = chunk * CHUNK;
            int count = Math.min(CHUNK, length - start);
            if (operation == Operation.ADD) {
                add(y, yOffset + start, x, xOffset + start, count);
            } else {
                scale(y, yOffset + start, x, xOffset + start, count, factor);
            }
        }

        void run(Workers workers, Operation operation, float[] y, int yOffset, float[] x, int xOffset, int chunks) {
            this.operation = operation;
            this.y = y;
            this.yOffset = yOffset;
            this.x = x;
            this.xOffset = xOffset;
            try {
                workers.run(chunks, this);
            } finally {
                this.y = NONE;
                this.x = NONE;
            }
        }
    }

    @Override
    public void addInto(float[] y, int yOffset, float[] x, int xOffset, int length) {
        Arithmetic.check(y, yOffset, x, xOffset, length);
        Job job = JOB.get();
        job.length = length;
        job.run(workers, Operation.ADD, y, yOffset, x, xOffset, Math.ceilDiv(length, CHUNK));
    }

    @Override
    public void scaleInto(float[] y, int yOffset, float[] x, int xOffset, int length, float factor) {
        Arithmetic.check(y, yOffset, x, xOffset, length);
        Job job = JOB.get();
        job.length = length;
        job.factor = factor;
        job.run(workers, Operation.SCALE, y, yOffset, x, xOffset, Math.ceilDiv(length, CHUNK));
    }

    @Override
    public void addRowsInto(float[] sums, int sumOffset, float[] x, int xOffset, int xStride, int rows, int columns) {
        Arithmetic.checkRows(sums, sumOffset, x, xOffset, xStride, rows, columns);
        int blockRows = Arithmetic.blockRows(rows, columns);
        int blocks = columns == 0 ? 0 : Math.ceilDiv(rows, blockRows);
        Job job = JOB.get();
        if (job.blockSums.length < blocks * columns) {
            job.blockSums = new float[blocks * columns];
        }
        job.xStride = xStride;
        job.rows = rows;
        job.blockRows = blockRows;
        job.columns = columns;
        job.run(workers, Operation.ADD_ROWS, sums, sumOffset, x, xOffset, blocks);
        for (int block = 0; block < blocks; block++) {
            addRow(sums, sumOffset, job.blockSums, block * columns, columns);
        }
    }

    private static void add(float[] y, int yAt, float[] x, int xAt, int length) {
        int i = 0;
        for (; i <= length - LANES; i += LANES) {
            FloatVector.fromArray(SPECIES, y, yAt + i)
                    .add(FloatVector.fromArray(SPECIES, x, xAt + i))
                    .intoArray(y, yAt + i);
        }
        for (; i < length; i++) {
            y[yAt + i] += x[xAt + i];
        }
    }

    private static void scale(float[] y, int yAt, float[] x, int xAt, int length, float factor) {
        int i = 0;
        for (; i <= length - LANES; i += LANES) {
            FloatVector.fromArray(SPECIES, x, xAt + i).mul(factor).intoArray(y, yAt + i);
        }
        for (; i < length; i++) {
            y[yAt + i] = factor * x[xAt + i];
        }
    }

    private static void sumRows(float[] sums, int at, float[] x, int xAt, int stride, int rows, int columns) {
        Arrays.fill(sums, at, at + columns, 0);
        int i = 0;
        for (; i <= rows - 4; i += 4) {
            addFourRows(sums, at, x, xAt + i * stride, stride, columns);
        }
        for (; i < rows; i++) {
            addRow(sums, at, x, xAt + i * stride, columns);
        }
    }

    private static void addFourRows(float[] sums, int at, float[] x, int row0, int stride, int columns) {
        int row1 = row0 + stride;
        int row2 = row1 + stride;
        int row3 = row2 + stride;
        int j = 0;
        for (; j <= columns - LANES; j += LANES) {
            FloatVector left =
                    FloatVector.fromArray(SPECIES, x, row0 + j).add(FloatVector.fromArray(SPECIES, x, row1 + j));
            FloatVector right =
                    FloatVector.fromArray(SPECIES, x, row2 + j).add(FloatVector.fromArray(SPECIES, x, row3 + j));
            FloatVector.fromArray(SPECIES, sums, at + j).add(left.add(right)).intoArray(sums, at + j);
        }
        for (; j <= columns - NARROW_LANES; j += NARROW_LANES) {
            FloatVector left =
                    FloatVector.fromArray(NARROW, x, row0 + j).add(FloatVector.fromArray(NARROW, x, row1 + j));
            FloatVector right =
                    FloatVector.fromArray(NARROW, x, row2 + j).add(FloatVector.fromArray(NARROW, x, row3 + j));
            FloatVector.fromArray(NARROW, sums, at + j).add(left.add(right)).intoArray(sums, at + j);
        }
        for (; j < columns; j++) {
            sums[at + j] += (x[row0 + j] + x[row1 + j]) + (x[row2 + j] + x[row3 + j]);
        }
    }

    private static void addRow(float[] sums, int at, float[] x, int row, int columns) {
        int j = 0;
        for (; j <= columns - LANES; j += LANES) {
            FloatVector.fromArray(SPECIES, sums, at + j)
                    .add(FloatVector.fromArray(SPECIES, x, row + j))
                    .intoArray(sums, at + j);
        }
        for (; j < columns; j++) {
            sums[at + j] += x[row + j];
        }
    }
}
