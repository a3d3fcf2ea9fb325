package org.lemmata.kernel.embedding;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.embedding.EmbeddingShape.Positions;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.thread.Workers;

/**
 * Runs on SIMD lanes. A chunk of the forward pass is a range of rows; the backward pass runs on the calling thread, in
 * the order of the reference.
 *
 * <p>Splitting the backward pass among threads by columns, or by ids and positions, would also keep the order. Rows
 * would then be read twice or out of order, which took more than twice as long. Elements that do not fill a vector at
 * the end of a row are masked. Calls allocate nothing.
 */
public final class VectorEmbedding implements Embedding {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private static final int LANES = SPECIES.length();

    /** The number of elements in a chunk of rows: about ten microseconds of work. */
    private static final int CHUNK = 1 << 15;

    private static final ThreadLocal<Job> JOB = ThreadLocal.withInitial(Job::new);

    private static final Matrix NONE = Matrix.empty();

    private static final int[] NO_IDS = {};

    private static final RaggedOffsets NO_SEQUENCES = RaggedOffsets.ofLengths();

    private final Workers workers;

    public VectorEmbedding(Workers workers) {
        this.workers = workers;
    }

    private static final class Job implements Workers.Chunks {

        private Matrix outputs = NONE;
        private int[] ids = NO_IDS;
        private RaggedOffsets sequences = NO_SEQUENCES;
        private Matrix tokens = NONE;
        private Matrix table = NONE;
        private boolean positions;
        private int positionRows;
        private int width;
        private float scale;
        private int rows;

        /** Gathers rows, or scatters gradients if {@code backward}. */
        void run(
                Workers workers,
                boolean backward,
                Matrix newOutputs,
                int[] newIds,
                RaggedOffsets newSequences,
                Matrix newTokens,
                Matrix newTable,
                EmbeddingShape shape) {
            outputs = newOutputs;
            ids = newIds;
            sequences = newSequences;
            tokens = newTokens;
            table = newTable;
            positions = shape.positions() != Positions.NONE;
            positionRows = shape.positionRows();
            width = shape.width();
            scale = shape.tokenScale();
            rows = Math.ceilDiv(CHUNK, width);
            try {
                if (backward) {
                    scatter();
                } else {
                    workers.run(Math.ceilDiv(ids.length, rows), this);
                }
            } finally {
                outputs = NONE;
                ids = NO_IDS;
                sequences = NO_SEQUENCES;
                tokens = NONE;
                table = NONE;
            }
        }

        @Override
        public void run(int chunk) {
            int row = chunk * rows;
            gather(row, row + Math.min(rows, ids.length - row));
        }

        private void gather(int from, int to) {
            if (!positions) {
                for (int i = from; i < to; i++) {
                    scaleRow(outputs.array(), outputs.start(i), tokens.array(), tokens.start(ids[i]), scale, width);
                }
                return;
            }
            // These fields are read once per chunk, because rows may be only a few vectors long.
            float[] out = outputs.array();
            int outStart = outputs.offset();
            int outStride = outputs.stride();
            float[] ofTokens = tokens.array();
            int tokensStart = tokens.offset();
            int tokensStride = tokens.stride();
            int sequence = sequenceOf(from);
            for (int row = from; row < to; sequence++) {
                int start = sequences.start(sequence);
                int end = Math.min(to, sequences.end(sequence));
                int position = (row - start) % positionRows;
                for (; row < end; row++) {
                    int output = outStart + row * outStride;
                    int token = tokensStart + ids[row] * tokensStride;
                    sumRows(out, output, ofTokens, token, scale, table.array(), table.start(position), width);
                    position = position + 1 == positionRows ? 0 : position + 1;
                }
            }
        }

        /** The last sequence that starts at or before {@code row}. Others with the same start are empty. */
        private int sequenceOf(int row) {
            int low = 0;
            int high = sequences.count() - 1;
            while (low < high) {
                int middle = (low + high + 1) >>> 1;
                if (sequences.start(middle) <= row) {
                    low = middle;
                } else {
                    high = middle - 1;
                }
            }
            return low;
        }

        private void scatter() {
            if (!positions) {
                for (int row = 0; row < ids.length; row++) {
                    int token = tokens.start(ids[row]);
                    int from = outputs.start(row);
                    sumRows(tokens.array(), token, outputs.array(), from, scale, tokens.array(), token, width);
                }
                return;
            }
            for (int sequence = 0; sequence < sequences.count(); sequence++) {
                int position = 0;
                int end = sequences.end(sequence);
                for (int row = sequences.start(sequence); row < end; row++) {
                    int token = tokens.start(ids[row]);
                    int at = table.start(position);
                    int from = outputs.start(row);
                    addToBoth(tokens.array(), token, scale, table.array(), at, outputs.array(), from, width);
                    position = position + 1 == positionRows ? 0 : position + 1;
                }
            }
        }
    }

    @Override
    public void forward(
            Matrix y, int[] ids, RaggedOffsets sequences, Matrix tokens, Matrix positions, EmbeddingShape shape) {
        shape.check(false, y, ids, sequences, tokens, positions);
        JOB.get().run(workers, false, y, ids, sequences, tokens, positions, shape);
    }

    @Override
    public void backward(
            Matrix dtokens, Matrix dpositions, Matrix dy, int[] ids, RaggedOffsets sequences, EmbeddingShape shape) {
        shape.check(true, dy, ids, sequences, dtokens, dpositions);
        JOB.get().run(workers, true, dy, ids, sequences, dtokens, dpositions, shape);
    }

    /** y = s x. */
    private static void scaleRow(float[] y, int yAt, float[] x, int xAt, float scale, int width) {
        int j = 0;
        for (; j <= width - LANES; j += LANES) {
            FloatVector.fromArray(SPECIES, x, xAt + j).mul(scale).intoArray(y, yAt + j);
        }
        if (j < width) {
            VectorMask<Float> rest = SPECIES.indexInRange(j, width);
            FloatVector.fromArray(SPECIES, x, xAt + j, rest).mul(scale).intoArray(y, yAt + j, rest);
        }
    }

    /** y = s x + z. */
    private static void sumRows(float[] y, int yAt, float[] x, int xAt, float scale, float[] z, int zAt, int width) {
        FloatVector s = FloatVector.broadcast(SPECIES, scale);
        int j = 0;
        for (; j <= width - LANES; j += LANES) {
            FloatVector.fromArray(SPECIES, x, xAt + j)
                    .fma(s, FloatVector.fromArray(SPECIES, z, zAt + j))
                    .intoArray(y, yAt + j);
        }
        if (j < width) {
            VectorMask<Float> rest = SPECIES.indexInRange(j, width);
            FloatVector.fromArray(SPECIES, x, xAt + j, rest)
                    .fma(s, FloatVector.fromArray(SPECIES, z, zAt + j, rest))
                    .intoArray(y, yAt + j, rest);
        }
    }

    /** y = y + s x, z = z + x. */
    private static void addToBoth(float[] y, int yAt, float scale, float[] z, int zAt, float[] x, int xAt, int width) {
        FloatVector s = FloatVector.broadcast(SPECIES, scale);
        int j = 0;
        for (; j <= width - LANES; j += LANES) {
            FloatVector v = FloatVector.fromArray(SPECIES, x, xAt + j);
            v.fma(s, FloatVector.fromArray(SPECIES, y, yAt + j)).intoArray(y, yAt + j);
            FloatVector.fromArray(SPECIES, z, zAt + j).add(v).intoArray(z, zAt + j);
        }
        if (j < width) {
            VectorMask<Float> rest = SPECIES.indexInRange(j, width);
            FloatVector v = FloatVector.fromArray(SPECIES, x, xAt + j, rest);
            v.fma(s, FloatVector.fromArray(SPECIES, y, yAt + j, rest)).intoArray(y, yAt + j, rest);
            FloatVector.fromArray(SPECIES, z, zAt + j, rest).add(v).intoArray(z, zAt + j, rest);
        }
    }
}
