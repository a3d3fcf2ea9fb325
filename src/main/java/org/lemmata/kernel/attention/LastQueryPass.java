package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionPacking.atLeast;
import static org.lemmata.kernel.attention.AttentionPacking.paddedWidth;
import static org.lemmata.kernel.attention.AttentionPacking.roundUp;
import static org.lemmata.kernel.attention.AttentionTile.LANES;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;

/**
 * The last query of a sequence, all heads, forward and backward.
 *
 * <p>One object serves one thread; its arrays grow to the longest sequence seen, and stay.
 */
final class LastQueryPass {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private static final int BLOCK = AttentionProducts.QUERIES;

    private static final float[] NONE = {};

    private final StepPass step = new StepPass();
    private final StepWeights weights = new StepWeights();
    private final RowSums dQuery = new RowSums();

    /** Scores, then weights; room for whole blocks. */
    private float[] w = {};

    /** Gradients of weights, then of scores. */
    private float[] ds = {};

    /** The query, times a factor. */
    private float[] query = {};

    /** Rows of one head, where whole vectors would reach beyond the end of theirs. */
    private float[] padded = {};

    private AttentionShape shape = AttentionShape.PLAIN;

    /** Makes room for sequences of up to {@code longest} positions. */
    void reserve(AttentionShape newShape, int longest) {
        shape = newShape;
        w = atLeast(w, roundUp(longest, BLOCK));
        ds = atLeast(ds, roundUp(longest, BLOCK));
        query = atLeast(query, shape.headWidth());
    }

    /** Writes a row of outputs. */
    void forward(AttentionOutputs outputs, AttentionInputs inputs, int sequence, int first, int length) {
        for (int head = 0; head < shape.heads(); head++) {
            int row = sequence * shape.width() + head * shape.headWidth();
            int columns = first * shape.width() + head * shape.headWidth();
            if (shape.hasScores()) {
                setScores(inputs, row, columns, length, head);
            }
            float[] sums;
            if (isReadable(inputs.values(), columns, length)) {
                sums = step.average(shape, w, length, inputs.values(), columns, NONE, 0);
            } else {
                pad(inputs.values(), columns, length);
                sums = step.average(shape, w, length, padded, 0, NONE, 0);
            }
            System.arraycopy(sums, 0, outputs.outputs(), row, shape.headWidth());
        }
    }

    /** Whether rows of one head, the first of which begins at {@code at}, can be read in whole vectors. */
    private boolean isReadable(float[] rows, int at, int length) {
        return at + (length - 1) * shape.width() + paddedWidth(shape.headWidth()) <= rows.length;
    }

    /** Copies rows of one head, as far apart as they are. */
    private void pad(float[] rows, int at, int length) {
        int size = (length - 1) * shape.width() + shape.headWidth();
        padded = atLeast(padded, size + LANES);
        System.arraycopy(rows, at, padded, 0, size);
    }

    /** As {@link StepScores} has them, without the logarithm. */
    private void setScores(AttentionInputs inputs, int row, int columns, int length, int head) {
        boolean scaled = ScoreStrip.isScaled(shape);
        setQuery(inputs, row, scaled ? 1 : Math.signum(shape.scoreScale()));
        RowProducts.multiply(w, query, 0, inputs.keys(), columns, shape.width(), length, shape.headWidth());
        if (scaled) {
            int span = shape.biasSpan();
            StepScores.scale(w, roundUp(length, LANES), shape.scoreScale());
            StepScores.addBiases(w, inputs.scoreBiases(), head * span, Math.min(span, length), length);
        }
    }

    private void setQuery(AttentionInputs inputs, int row, float factor) {
        for (int d = 0; d < shape.headWidth(); d++) {
            query[d] = factor * inputs.queries()[row + d];
        }
    }

    /** Writes the gradients of a row of queries, and of the keys and values of a sequence. */
    void backward(
            AttentionInputs dInputs,
            float[] dBiases,
            AttentionOutputs dOutputs,
            AttentionOutputs outputs,
            AttentionInputs inputs,
            int sequence,
            int first,
            int length) {
        for (int head = 0; head < shape.heads(); head++) {
            int row = sequence * shape.width() + head * shape.headWidth();
            int columns = first * shape.width() + head * shape.headWidth();
            weigh(inputs, row, columns, length, head);
            multiply(dInputs.values(), columns, w, length, dOutputs.outputs(), row);
            if (shape.hasScoreGradients()) {
                differentiate(dOutputs, outputs, inputs, row, columns, length);
                scoreGradients(dInputs, inputs, length, row, columns);
                keepBiases(dBiases, sequence, length, head);
            } else if (shape.hasScores()) {
                clear(dInputs, length, row, columns);
            }
        }
    }

    /** Sets the weights of all positions. */
    private void weigh(AttentionInputs inputs, int row, int columns, int length, int head) {
        if (shape.hasScores()) {
            setScores(inputs, row, columns, length, head);
        }
        weights.start(ScoreStrip.sharpness(shape, shape.lengthFactor(length)), shape.cutoff(length));
        // With the maximum of all known before, no block has to be scaled later.
        weights.findMaximum(w, 0, length);
        float total = 0;
        for (int from = 0; from < length; from += BLOCK) {
            int count = Math.min(BLOCK, length - from);
            weights.weigh(shape.weighting(), w, from, count);
            for (int j = from; j < from + count; j++) {
                total += w[j];
            }
        }
        for (int j = 0; j < length; j += LANES) {
            FloatVector.fromArray(SPECIES, w, j).div(total).intoArray(w, j);
        }
    }

    /** ds_j = f w_j (dw_j - &lt;do, o&gt;), dw_j = &lt;do, v_j&gt;. */
    private void differentiate(
            AttentionOutputs dOutputs,
            AttentionOutputs outputs,
            AttentionInputs inputs,
            int row,
            int columns,
            int length) {
        float[] gradient = dOutputs.outputs();
        RowProducts.multiply(ds, gradient, row, inputs.values(), columns, shape.width(), length, shape.headWidth());
        float mean = AttentionBackward.dot(gradient, outputs.outputs(), row, shape.headWidth());
        float factor = shape.lengthFactor(length);
        for (int j = 0; j < length; j += LANES) {
            FloatVector.fromArray(SPECIES, ds, j)
                    .sub(mean)
                    .mul(FloatVector.fromArray(SPECIES, w, j))
                    .mul(factor)
                    .intoArray(ds, j);
        }
    }

    private void scoreGradients(AttentionInputs dInputs, AttentionInputs inputs, int length, int row, int columns) {
        int headWidth = shape.headWidth();
        setQuery(inputs, row, shape.scoreScale());
        multiply(dInputs.keys(), columns, ds, length, query, 0);
        int end = paddedWidth(headWidth);
        dQuery.clear(end);
        if (isReadable(inputs.keys(), columns, length)) {
            dQuery.add(0, headWidth, ds, 0, length, inputs.keys(), columns, shape.width());
        } else {
            pad(inputs.keys(), columns, length);
            dQuery.add(0, headWidth, ds, 0, length, padded, 0, shape.width());
        }
        dQuery.scale(end, shape.scoreScale());
        System.arraycopy(dQuery.sums, 0, dInputs.queries(), row, headWidth);
    }

    /** Rows of one head from {@code at} on: row j becomes factor_j times the row of {@code x}. */
    private void multiply(float[] rows, int at, float[] factors, int length, float[] x, int xAt) {
        int stride = shape.width();
        int columns = shape.headWidth();
        int whole = columns / LANES * LANES;
        for (int d = 0; d < whole; d += LANES) {
            FloatVector part = FloatVector.fromArray(SPECIES, x, xAt + d);
            for (int j = 0; j < length; j++) {
                part.mul(factors[j]).intoArray(rows, at + j * stride + d);
            }
        }
        for (int j = 0; j < length && whole < columns; j++) {
            for (int d = whole; d < columns; d++) {
                rows[at + j * stride + d] = factors[j] * x[xAt + d];
            }
        }
    }

    private void clear(AttentionInputs dInputs, int length, int row, int columns) {
        int headWidth = shape.headWidth();
        Arrays.fill(dInputs.queries(), row, row + headWidth, 0);
        for (int j = 0; j < length; j++) {
            int at = columns + j * shape.width();
            Arrays.fill(dInputs.keys(), at, at + headWidth, 0);
        }
    }

    /** The last position has distance 0. */
    private void keepBiases(float[] dBiases, int sequence, int length, int head) {
        int span = shape.biasSpan();
        int at = (sequence * shape.heads() + head) * span;
        for (int distance = 0; distance < Math.min(span, length); distance++) {
            dBiases[at + distance] = ds[length - 1 - distance];
        }
    }
}
