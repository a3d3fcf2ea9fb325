package org.lemmata.kernel.quantization;

import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.elementary.VectorPhilox;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.number.BlockFormat;
import org.lemmata.number.BlockRounding;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.IntegerFormat;
import org.lemmata.number.Rounding;
import org.lemmata.number.TensorRounding;
import org.lemmata.random.RandomStream;

/**
 * Quantization on SIMD lanes, bit-identical to {@link ScalarQuantization}, except that the bits of NaNs are
 * unspecified.
 *
 * <p>The following are rounded one element at a time instead:
 *
 * <ul>
 *   <li>float formats with values that binary32 cannot represent, unless rounding changes nothing (binary64) or only
 *       shortens the significand (log-precision);
 *   <li>other float formats whose smallest subnormal is above 1 or not a normal binary32 number, unless their minimum
 *       exponent is that of binary32;
 *   <li>grids whose step is not a power of two up to 1;
 *   <li>integers that are not elements of blocks, or have two bits;
 *   <li>in log-precision, segments of {@value #SEGMENT} elements that include a subnormal number;
 *   <li>deterministic sums rounded to formats with more than 22 bits (except, to nearest even, binary64, and binary32
 *       with subnormals and without saturation), or to log-precision in a mode that is not to nearest;
 *   <li>stochastic sums rounded to formats with more than 24 bits or a minimum exponent above 127, and all sums rounded
 *       to grids or thresholds.
 * </ul>
 *
 * <p>Calls allocate nothing, unless a stochastic rounding differs from the rounding of the thread's last call.
 */
public final class VectorQuantization implements Quantization {

    /** The number of random words or quotients computed at a time: 4 KiB, which fits in the first-level cache. */
    private static final int SEGMENT = 1024;

    private static final int LANES = ElementLanes.LANES;

    // The number of elements in a chunk: about five microseconds of work.
    private static final int CHUNK = 16 * SEGMENT;
    private static final int STOCHASTIC_CHUNK = 4 * SEGMENT;
    private static final int BLOCKS_CHUNK = 8 * SEGMENT;
    private static final int SCALAR_CHUNK = SEGMENT / 2;

    private static final ThreadLocal<Job> JOB = ThreadLocal.withInitial(Job::new);

    private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

    private static final Matrix NONE = Matrix.empty();

    private static final RandomStream NO_STREAM = new RandomStream(0, 0, 0);

    private final Workers workers;

    public VectorQuantization(Workers workers) {
        this.workers = workers;
    }

    private static final class Scratch {
        /** Larger than a segment, because a segment may begin and end within a tile, and is padded to whole vectors. */
        private final int[] words = new int[SEGMENT + 3 * RandomStream.TILE];

        private final float[] elements = new float[SEGMENT + LANES];

        private final float[] scales = new float[SEGMENT];
        private final double[] left = new double[SEGMENT];
        private final double[] right = new double[SEGMENT];
    }

    private enum Operation {
        ELEMENTS,
        BLOCKS,
        SUMS
    }

    private static final class Job implements Workers.Chunks {

        private final LaneRounding lanes = new LaneRounding();
        private @Nullable DoubleRounding stochasticSums;
        private TensorRounding prepared = Rounding.toNearestEven(FloatFormat.BINARY32);
        private Rounding rounding = Rounding.toNearestEven(FloatFormat.BINARY32);
        private BlockRounding blocks = BlockRounding.toNearestEven(BlockFormat.NAMED.getFirst());

        private Operation operation = Operation.ELEMENTS;
        private Matrix y = NONE;
        private Matrix x = NONE;
        private Matrix b = NONE;
        private int rows;
        private int columns;
        private int rowsPerChunk;
        private int columnsPerChunk;
        private RandomStream stream = NO_STREAM;

        Job() {
            lanes.prepare(rounding);
        }

        /** Computes the constants of a rounding, unless it equals the rounding of the last call. */
        void prepare(TensorRounding newRounding) {
            if (newRounding.equals(prepared)) {
                return;
            }
            prepared = newRounding;
            switch (newRounding) {
                case Rounding elementwise -> {
                    rounding = elementwise;
                    lanes.prepare(elementwise);
                    stochasticSums = elementwise.isStochastic() ? DoubleRounding.ofSums(elementwise) : null;
                }
                case BlockRounding blockwise -> {
                    blocks = blockwise;
                    lanes.prepare(blockwise.format(), blockwise.mode());
                }
            }
        }

        /**
         * Cuts rows into chunks of about {@code chunk} elements (rows, or parts of rows); returns the number of chunks.
         */
        int cut(int chunk) {
            columnsPerChunk = Math.min(columns, chunk);
            rowsPerChunk = Math.max(1, chunk / columnsPerChunk);
            return Math.ceilDiv(rows, rowsPerChunk) * Math.ceilDiv(columns, columnsPerChunk);
        }

        void run(Workers workers, int chunks) {
            try {
                workers.run(chunks, this);
            } finally {
                y = NONE;
                x = NONE;
                b = NONE;
            }
        }

        @Override
        public void run(int chunk) {
            Scratch scratch = SCRATCH.get();
            int parts = Math.ceilDiv(columns, columnsPerChunk);
            int first = chunk / parts * rowsPerChunk;
            int end = Math.min(rows, first + rowsPerChunk);
            int from = chunk % parts * columnsPerChunk;
            int to = from + Math.min(columnsPerChunk, columns - from);
            for (int row = first; row < end; row++) {
                switch (operation) {
                    case ELEMENTS -> roundElements(scratch, row, from, to);
                    case BLOCKS -> roundBlocks(scratch, row, from, to);
                    case SUMS -> addElements(scratch, from, to);
                }
            }
        }

        private void roundElements(Scratch scratch, int row, int from, int to) {
            int yRow = y.start(row);
            int xRow = x.start(row);
            boolean whole = !rounding.isStochastic() && !lanes.onlyNormals;
            int step = whole ? to - from : SEGMENT;
            for (int j = from; j < to; j += step) {
                int length = Math.min(step, to - j);
                int word = draw(scratch.words, rounding, row, j, length);
                if (lanes.onlyNormals && ElementLanes.anySubnormal(x.array(), xRow + j, length)) {
                    roundOneByOne(y.array(), yRow + j, x.array(), xRow + j, length, scratch.words, word);
                } else {
                    roundSegment(scratch, y.array(), yRow + j, x.array(), xRow + j, length, word);
                }
            }
        }

        /** Draws the random words of a row's segment in stochastic mode; returns the index of the first. */
        private int draw(int[] words, TensorRounding rounding, int row, int from, int length) {
            if (!rounding.isStochastic()) {
                return 0;
            }
            int tile = from / RandomStream.TILE;
            int tiles = Math.ceilDiv(from + length, RandomStream.TILE) - tile;
            int firstOfRow = row * Math.ceilDiv(columns, RandomStream.TILE);
            VectorPhilox.tilesInto(words, firstOfRow + tile, tiles, stream);
            return from % RandomStream.TILE;
        }

        /**
         * Rounds a segment. Its last vector overlaps the previous one; a segment shorter than a vector is padded in a
         * copy.
         */
        private void roundSegment(
                Scratch scratch, float[] outputs, int to, float[] inputs, int from, int length, int word) {
            if (lanes.loop == LaneRounding.Loop.COPY) {
                System.arraycopy(inputs, from, outputs, to, length);
            } else if (lanes.loop == LaneRounding.Loop.ONE_BY_ONE) {
                roundOneByOne(outputs, to, inputs, from, length, scratch.words, word);
            } else if (length < LANES) {
                System.arraycopy(inputs, from, scratch.elements, 0, length);
                roundVectors(scratch.elements, 0, scratch.elements, 0, LANES, scratch.words, word);
                System.arraycopy(scratch.elements, 0, outputs, to, length);
            } else {
                int whole = length - length % LANES;
                roundVectors(outputs, to, inputs, from, whole, scratch.words, word);
                int last = length - LANES;
                if (whole < length) {
                    roundVectors(outputs, to + last, inputs, from + last, LANES, scratch.words, word + last);
                }
            }
        }

        private void roundVectors(
                float[] outputs, int to, float[] inputs, int from, int length, int[] words, int word) {
            switch (lanes.loop) {
                case TIES_TO_EVEN -> ElementLanes.tiesToEven(outputs, to, inputs, from, length, lanes);
                case DETERMINISTIC -> ElementLanes.deterministic(outputs, to, inputs, from, length, lanes);
                case STOCHASTIC -> ElementLanes.stochastic(outputs, to, inputs, from, length, lanes, words, word);
                default -> ElementLanes.threshold(outputs, to, inputs, from, length, lanes.maxZero);
            }
        }

        private void roundOneByOne(
                float[] outputs, int to, float[] inputs, int from, int length, int[] words, int word) {
            for (int i = 0; i < length; i++) {
                outputs[to + i] = rounding.round(inputs[from + i], words[word + i]);
            }
        }

        /** Rounds columns {@code from} ... {@code to - 1} of a row; {@code from} is the start of a block. */
        private void roundBlocks(Scratch scratch, int row, int from, int to) {
            int xRow = x.start(row);
            int size = Math.min(blocks.format().size(), columns);
            int step = size > SEGMENT ? size : SEGMENT / size * size;
            for (int j = from; j < to; j += step) {
                int length = Math.min(step, to - j);
                int count = Math.ceilDiv(length, size);
                for (int block = 0; block < count; block++) {
                    int start = block * size;
                    float maximum =
                            ElementLanes.largestMagnitude(x.array(), xRow + j + start, Math.min(size, length - start));
                    scratch.scales[block] = blocks.scale(maximum);
                }
                for (int part = 0; part < length; part += SEGMENT) {
                    roundQuotients(scratch, row, j + part, Math.min(SEGMENT, length - part), size);
                }
            }
        }

        private void roundQuotients(Scratch scratch, int row, int from, int length, int size) {
            float[] y = this.y.array();
            float[] x = this.x.array();
            int yAt = this.y.start(row) + from;
            int xAt = this.x.start(row) + from;
            int word = draw(scratch.words, blocks, row, from, length);
            if (lanes.loop == LaneRounding.Loop.ONE_BY_ONE) {
                for (int i = 0; i < length; i++) {
                    y[yAt + i] = blocks.round(x[xAt + i], scratch.scales[i / size], scratch.words[word + i]);
                }
                return;
            }
            boolean exact = blocks.format().scale() == BlockFormat.Scale.POWER_OF_TWO;
            for (int i = 0; i < length; i += size) {
                int count = Math.min(size, length - i);
                if (exact) {
                    ElementLanes.scaleDown(scratch.elements, i, x, xAt + i, count, scratch.scales[i / size]);
                } else {
                    ElementLanes.divide(scratch.elements, i, x, xAt + i, count, scratch.scales[i / size]);
                }
            }
            int vectors = Math.ceilDiv(length, LANES) * LANES;
            roundVectors(scratch.elements, 0, scratch.elements, 0, vectors, scratch.words, word);
            float zero = blocks.format().element() instanceof IntegerFormat ? 0f : -0f;
            for (int i = 0; i < length; i += size) {
                int count = Math.min(size, length - i);
                ElementLanes.scale(y, yAt + i, scratch.elements, i, count, scratch.scales[i / size], zero);
            }
        }

        private void addElements(Scratch scratch, int from, int to) {
            float[] y = this.y.array();
            float[] x = this.x.array();
            float[] b = this.b.array();
            boolean plain = lanes.takesPlainSums(rounding);
            boolean odd = lanes.takesOddSums(rounding.mode());
            for (int i = from; i < to; i += SEGMENT) {
                int length = Math.min(SEGMENT, to - i);
                int yAt = this.y.offset() + i;
                int aAt = this.x.offset() + i;
                int bAt = this.b.offset() + i;
                if (odd) {
                    ElementLanes.oddSumsInto(y, yAt, x, aAt, b, bAt, length);
                    if (lanes.onlyNormals && ElementLanes.anySubnormal(y, yAt, length)) {
                        roundOneByOne(y, yAt, y, yAt, length, scratch.words, 0);
                    } else {
                        roundSegment(scratch, y, yAt, y, yAt, length, 0);
                    }
                } else if (plain) {
                    for (int k = 0; k < length; k++) {
                        y[yAt + k] = x[aAt + k] + b[bAt + k];
                    }
                } else {
                    int word = draw(scratch.words, rounding, 0, i, length);
                    if (stochasticSums != null) {
                        addStochastically(stochasticSums, scratch, yAt, aAt, bAt, length, word);
                        continue;
                    }
                    for (int k = 0; k < length; k++) {
                        y[yAt + k] = rounding.roundSum(x[aAt + k], b[bAt + k], scratch.words[word + k]);
                    }
                }
            }
        }

        /** Adds in binary64. There, a sum rounded to odd keeps all bits that are compared with the random bits. */
        private void addStochastically(
                DoubleRounding rounding, Scratch scratch, int yAt, int aAt, int bAt, int length, int word) {
            float[] y = this.y.array();
            float[] a = this.x.array();
            float[] b = this.b.array();
            double[] sums = scratch.left;
            for (int k = 0; k < length; k++) {
                sums[k] = a[aAt + k];
                scratch.right[k] = b[bAt + k];
            }
            RoundedMultiplyAdd.addToOdd(sums, 0, scratch.right, length);
            rounding.round(sums, 0, sums, 0, 1, length, scratch.words, word);
            for (int k = 0; k < length; k++) {
                y[yAt + k] = (float) sums[k];
            }
        }
    }

    @Override
    public void round(Matrix y, Matrix x, TensorRounding rounding, RandomStream stream) {
        int rows = y.rows();
        int columns = y.columns();
        x.require("x", rows, columns);
        if (rows == 0 || columns == 0) {
            return;
        }
        Job job = JOB.get();
        job.prepare(rounding);
        job.y = y;
        job.x = x;
        job.stream = stream;
        job.rows = rows;
        job.columns = columns;
        boolean contiguous = y.stride() == columns && x.stride() == columns;
        boolean ofTiles = columns % RandomStream.TILE == 0 || !rounding.isStochastic();
        int chunks;
        switch (rounding) {
            case Rounding elementwise -> {
                job.operation = Operation.ELEMENTS;
                if (contiguous && ofTiles) {
                    job.rows = 1;
                    job.columns = rows * columns;
                }
                int chunk = elementwise.isStochastic() ? STOCHASTIC_CHUNK : CHUNK;
                chunks = job.cut(job.lanes.loop == LaneRounding.Loop.ONE_BY_ONE ? SCALAR_CHUNK : chunk);
            }
            case BlockRounding blocks -> {
                job.operation = Operation.BLOCKS;
                int size = Math.min(blocks.format().size(), columns);
                if (contiguous && ofTiles && columns % blocks.format().size() == 0) {
                    job.rows = 1;
                    job.columns = rows * columns;
                }
                int chunk = job.lanes.loop == LaneRounding.Loop.ONE_BY_ONE ? SCALAR_CHUNK : BLOCKS_CHUNK;
                chunks = job.cut(Math.max(size, chunk / size * size));
            }
        }
        job.run(workers, chunks);
    }

    @Override
    public void add(Matrix y, Matrix a, Matrix b, Rounding rounding, RandomStream stream) {
        Quantization.check(y, a, b);
        int length = y.rows() * y.columns();
        if (length == 0) {
            return;
        }
        Job job = JOB.get();
        job.prepare(rounding);
        job.operation = Operation.SUMS;
        job.y = y;
        job.x = a;
        job.b = b;
        job.stream = stream;
        job.rows = 1;
        job.columns = length;
        boolean onLanes = job.lanes.takesOddSums(rounding.mode()) || job.lanes.takesPlainSums(rounding);
        int stochastic = job.stochasticSums != null ? STOCHASTIC_CHUNK : SCALAR_CHUNK;
        job.run(workers, job.cut(onLanes ? CHUNK : stochastic));
    }
}
