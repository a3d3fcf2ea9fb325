package org.lemmata.kernel.attention;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.elementary.VectorExp;

/**
 * Attention on the Vector API, {@link AttentionTile#ROWS} query rows at a time: scores, then weights, then weighted
 * sums.
 *
 * <p>Keys (transposed) and values of a head are packed into panels of {@link AttentionTile#COLUMNS} columns, so that no
 * product has a tail: what stands behind the last key or column is computed and dropped. Memory is linear in the
 * length. The working arrays belong to the thread, grow to the largest head seen, and stay: a call allocates nothing
 * once they are large enough, and one instance serves any number of threads.
 *
 * <p>Inner products and weighted sums run in ascending order with fused multiply-adds, whatever the lanes. The sum of
 * weights runs lane by lane, then over the even lanes and the odd ones: the same bits in every run with as many lanes.
 * Uniform attention has the bits of {@link ScalarAttention}. Exponentials below 2^-126 are 0.
 *
 * <p>Options beyond plain causal attention, saved values and the backward pass are those of {@link ScalarAttention}.
 */
public final class VectorAttention implements Attention {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
    private static final int LANES = SPECIES.length();
    private static final int ROWS = AttentionTile.ROWS;
    private static final int COLUMNS = AttentionTile.COLUMNS;

    private static final ThreadLocal<Workspace> WORKSPACE = ThreadLocal.withInitial(Workspace::new);

    /** What a thread keeps from call to call; elements that a call reads unwritten only reach results that it drops. */
    private static final class Workspace {

        /** ROWS x headWidth. */
        float[] queries = {};

        /** Panel p, column d, key j: at (p * headWidth + d) * COLUMNS + j, standing for key p * COLUMNS + j. */
        float[] keys = {};

        /** Strip s, position j, column d: at (s * length + j) * COLUMNS + d, standing for column s * COLUMNS + d. */
        float[] values = {};

        /** ROWS x scoreStride: scores, then weights. */
        float[] weights = {};

        final float[] totals = new float[ROWS];

        final float[] lanes = new float[LANES];

        /** ROWS x COLUMNS. */
        final float[] outputs = new float[ROWS * COLUMNS];

        void reserve(int length, int headWidth, int scoreStride) {
            queries = atLeast(queries, ROWS * headWidth);
            keys = atLeast(keys, roundUp(length, COLUMNS) * headWidth);
            values = atLeast(values, length * roundUp(headWidth, COLUMNS));
            weights = atLeast(weights, ROWS * scoreStride);
        }

        private static float[] atLeast(float[] data, int length) {
            return data.length >= length ? data : new float[length];
        }
    }

    private final ScalarAttention scalar = new ScalarAttention();

    @Override
    public void forward(
            AttentionOutputs outputs, AttentionInputs inputs, RaggedOffsets sequences, AttentionShape shape) {
        Attention.checkForward(outputs, inputs, sequences, shape);
        boolean plain = shape.mask() == AttentionShape.Mask.CAUSAL
                && shape.weighting() != AttentionShape.Weighting.THRESHOLDED
                && shape.identityWidth() == 0
                && !shape.logLength()
                && shape.biasSpan() == 0;
        boolean saves = outputs.normalizers().length > 0 || outputs.greatestScores().length > 0;
        if (plain && !(saves && shape.hasScores())) {
            forwardPlain(outputs.outputs(), inputs.queries(), inputs.keys(), inputs.values(), sequences, shape);
        } else {
            scalar.forward(outputs, inputs, sequences, shape);
        }
    }

    @Override
    public void backward(
            AttentionInputs dInputs,
            AttentionOutputs dOutputs,
            AttentionOutputs outputs,
            AttentionInputs inputs,
            RaggedOffsets sequences,
            AttentionShape shape) {
        scalar.backward(dInputs, dOutputs, outputs, inputs, sequences, shape);
    }

    private static void forwardPlain(
            float[] outputs,
            float[] queries,
            float[] keys,
            float[] values,
            RaggedOffsets sequences,
            AttentionShape shape) {
        Workspace workspace = WORKSPACE.get();
        for (int sequence = 0; sequence < sequences.count(); sequence++) {
            int length = sequences.length(sequence);
            int start = sequences.start(sequence) * shape.width();
            if (shape.weighting() == AttentionShape.Weighting.UNIFORM) {
                averageAll(outputs, values, start, length, shape.width());
                continue;
            }
            for (int head = 0; head < shape.heads(); head++) {
                attend(workspace, outputs, queries, keys, values, start + head * shape.headWidth(), length, shape);
            }
        }
    }

    /** One head of one sequence, whose rows stand at {@code start + i * shape.width()} of all four arrays. */
    private static void attend(
            Workspace workspace,
            float[] outputs,
            float[] queries,
            float[] keys,
            float[] values,
            int start,
            int length,
            AttentionShape shape) {
        int width = shape.width();
        int headWidth = shape.headWidth();
        // One vector more than needed: rows a power of two apart would compete for the same sets of the cache.
        int scoreStride = roundUp(length, COLUMNS) + LANES;
        workspace.reserve(length, headWidth, scoreStride);
        packKeys(workspace.keys, keys, start, width, length, headWidth);
        packValues(workspace.values, values, start, width, length, headWidth);
        for (int first = 0; first < length; first += ROWS) {
            int rows = Math.min(ROWS, length - first);
            for (int r = 0; r < rows; r++) {
                System.arraycopy(queries, start + (first + r) * width, workspace.queries, r * headWidth, headWidth);
            }
            for (int key = 0; key < first + rows; key += COLUMNS) {
                AttentionTile.multiplyInto(
                        workspace.weights,
                        key,
                        scoreStride,
                        workspace.queries,
                        0,
                        headWidth,
                        workspace.keys,
                        key * headWidth,
                        headWidth,
                        shape.scoreScale());
            }
            for (int r = 0; r < rows; r++) {
                workspace.totals[r] = weigh(workspace, r * scoreStride, first + r + 1, shape.weighting());
            }
            for (int column = 0; column < headWidth; column += COLUMNS) {
                // The tile sums what all rows see, positions up to that of the first; the few beyond follow row by row.
                AttentionTile.multiplyInto(
                        workspace.outputs,
                        0,
                        COLUMNS,
                        workspace.weights,
                        0,
                        scoreStride,
                        workspace.values,
                        column * length,
                        first + 1,
                        1);
                int columns = Math.min(COLUMNS, headWidth - column);
                for (int r = 0; r < rows; r++) {
                    int row = start + (first + r) * width + column;
                    if (columns == COLUMNS) {
                        finishRow(outputs, row, workspace, r, first, column * length, scoreStride);
                    } else {
                        finishRow(workspace.outputs, r * COLUMNS, workspace, r, first, column * length, scoreStride);
                        System.arraycopy(workspace.outputs, r * COLUMNS, outputs, row, columns);
                    }
                }
            }
        }
    }

    private static void packKeys(float[] packed, float[] keys, int start, int stride, int length, int headWidth) {
        for (int j = 0; j < length; j++) {
            int from = start + j * stride;
            int to = j / COLUMNS * COLUMNS * headWidth + j % COLUMNS;
            for (int d = 0; d < headWidth; d++) {
                packed[to + d * COLUMNS] = keys[from + d];
            }
        }
    }

    private static void packValues(float[] packed, float[] values, int start, int stride, int length, int headWidth) {
        for (int column = 0; column < headWidth; column += COLUMNS) {
            int columns = Math.min(COLUMNS, headWidth - column);
            for (int j = 0; j < length; j++) {
                System.arraycopy(values, start + j * stride + column, packed, column * length + j * COLUMNS, columns);
            }
        }
    }

    /** Replaces {@code count} scores by weights and what follows up to whole vectors by anything; returns the sum. */
    private static float weigh(Workspace workspace, int offset, int count, AttentionShape.Weighting weighting) {
        float[] scores = workspace.weights;
        int end = offset + count;
        int paddedEnd = offset + roundUp(count, LANES);
        Arrays.fill(scores, end, paddedEnd, Float.NEGATIVE_INFINITY);
        float max = max(scores, offset, paddedEnd);
        return switch (weighting) {
            case SOFTMAX -> exponentiate(scores, offset, paddedEnd, max, workspace.lanes);
            case HARDMAX -> {
                selectGreatest(scores, offset, paddedEnd, max);
                // Where all scores are -infinity, what stands behind them ties with them.
                Arrays.fill(scores, end, paddedEnd, 0);
                yield sum(scores, offset, paddedEnd, workspace.lanes);
            }
            case UNIFORM, THRESHOLDED -> throw new AssertionError("do not come here");
        };
    }

    /** The greatest number: a NaN is passed over here, becomes a weight of NaN, and makes the sum NaN. */
    private static float max(float[] scores, int offset, int end) {
        FloatVector max = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);
        for (int j = offset; j < end; j += LANES) {
            FloatVector score = FloatVector.fromArray(SPECIES, scores, j);
            max = max.blend(score, score.compare(VectorOperators.GT, max));
        }
        return max.reduceLanes(VectorOperators.MAX);
    }

    private static float exponentiate(float[] scores, int offset, int end, float max, float[] lanes) {
        FloatVector sum = FloatVector.zero(SPECIES);
        for (int j = offset; j < end; j += LANES) {
            FloatVector weight =
                    VectorExp.exp(FloatVector.fromArray(SPECIES, scores, j).sub(max));
            weight.intoArray(scores, j);
            sum = sum.add(weight);
        }
        sum.intoArray(lanes, 0);
        return sum(lanes);
    }

    private static void selectGreatest(float[] scores, int offset, int end, float max) {
        FloatVector zero = FloatVector.zero(SPECIES);
        for (int j = offset; j < end; j += LANES) {
            FloatVector score = FloatVector.fromArray(SPECIES, scores, j);
            VectorMask<Float> greatest = score.compare(VectorOperators.EQ, max);
            zero.blend(1, greatest)
                    .blend(Float.NaN, score.test(VectorOperators.IS_NAN))
                    .intoArray(scores, j);
        }
    }

    private static float sum(float[] weights, int offset, int end, float[] lanes) {
        FloatVector sum = FloatVector.zero(SPECIES);
        for (int j = offset; j < end; j += LANES) {
            sum = sum.add(FloatVector.fromArray(SPECIES, weights, j));
        }
        sum.intoArray(lanes, 0);
        return sum(lanes);
    }

    /**
     * The sum of the even lanes and that of the odd ones. {@code reduceLanes} adds in an order of its choice, which is
     * another one once it is compiled. The lanes come in an array, since a vector is boxed on its way to a method that
     * is not inlined.
     */
    private static float sum(float[] lanes) {
        float even = 0;
        float odd = 0;
        for (int i = 0; i < LANES; i += 2) {
            even += lanes[i];
            odd += lanes[i + 1];
        }
        return even + odd;
    }

    /**
     * Sets COLUMNS outputs from {@code at} on to row r of the tile, plus what positions {@code first + 1} to
     * {@code first + r} weigh, divided by the sum of weights.
     *
     * <p>Weights of 0 would not do for the positions after: 0 times a later infinity or NaN is NaN.
     */
    private static void finishRow(
            float[] outputs, int at, Workspace workspace, int r, int first, int strip, int scoreStride) {
        FloatVector left = FloatVector.fromArray(SPECIES, workspace.outputs, r * COLUMNS);
        FloatVector right = FloatVector.fromArray(SPECIES, workspace.outputs, r * COLUMNS + LANES);
        for (int j = first + 1; j <= first + r; j++) {
            FloatVector weight = FloatVector.broadcast(SPECIES, workspace.weights[r * scoreStride + j]);
            left = weight.fma(FloatVector.fromArray(SPECIES, workspace.values, strip + j * COLUMNS), left);
            right = weight.fma(FloatVector.fromArray(SPECIES, workspace.values, strip + j * COLUMNS + LANES), right);
        }
        left.div(workspace.totals[r]).intoArray(outputs, at);
        right.div(workspace.totals[r]).intoArray(outputs, at + LANES);
    }

    /** Uniform weights, all heads at once: running sums down the rows. The last vector overlaps the one before. */
    private static void averageAll(float[] outputs, float[] values, int start, int length, int width) {
        int column = 0;
        for (; width >= LANES && column < width; column += LANES) {
            averageColumns(outputs, values, start + Math.min(column, width - LANES), length, width);
        }
        for (; column < width; column++) {
            float sum = 0;
            for (int i = 0; i < length; i++) {
                sum += values[start + column + i * width];
                outputs[start + column + i * width] = sum / (i + 1);
            }
        }
    }

    private static void averageColumns(float[] outputs, float[] values, int start, int length, int width) {
        FloatVector sum = FloatVector.zero(SPECIES);
        for (int i = 0; i < length; i++) {
            sum = sum.add(FloatVector.fromArray(SPECIES, values, start + i * width));
            sum.div(i + 1).intoArray(outputs, start + i * width);
        }
    }

    private static int roundUp(int count, int multiple) {
        return (count + multiple - 1) / multiple * multiple;
    }
}
