package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionPacking.atLeast;
import static org.lemmata.kernel.attention.AttentionPacking.paddedWidth;
import static org.lemmata.kernel.attention.AttentionPacking.roundUp;
import static org.lemmata.kernel.attention.AttentionTile.LANES;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.elementary.Species;

/**
 * The last query of a sequence, all heads, forward and backward, by way of a cache of that sequence.
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

    /** Scores, then weights. */
    private final StepScores scores = new StepScores();

    /** Gradients of weights, then of scores. */
    private final StepScores dScores = new StepScores();

    /** The query times the scale of the scores. */
    private float[] query = {};

    private AttentionShape shape = ForwardCall.NO_SHAPE;

    /** Keys in panels, values in rows. */
    private AttentionCache keys = new AttentionCache(shape, 1, 1);

    /** Values in panels, keys in rows. */
    private AttentionCache values = keys;

    /** Makes room for sequences of up to {@code longest} positions. */
    void reserve(AttentionShape newShape, int longest) {
        if (shape.equals(newShape) && longest <= keys.capacity()) {
            return;
        }
        AttentionShape causal = new AttentionShape(
                newShape.weighting(),
                Mask.CAUSAL,
                newShape.heads(),
                newShape.headWidth(),
                0,
                newShape.scoreScale(),
                newShape.logLength(),
                newShape.biasSpan(),
                newShape.thresholdBits());
        keys = new AttentionCache(causal, 1, longest);
        values = new AttentionCache(
                new AttentionShape(Weighting.SOFTMAX, newShape.heads(), newShape.headWidth(), 1), 1, longest);
        scores.reserve(roundUp(longest, BLOCK));
        dScores.reserve(roundUp(longest, BLOCK));
        query = atLeast(query, newShape.headWidth());
        // Last: what there was no room for must not pass for what there is.
        shape = newShape;
    }

    /** Writes a row of outputs. */
    void forward(AttentionOutputs outputs, AttentionInputs inputs, int sequence, int first, int length) {
        setKeys(inputs, first, length);
        for (int head = 0; head < shape.heads(); head++) {
            step.run(outputs, NONE, inputs, keys, 0, sequence, head);
        }
    }

    private void setKeys(AttentionInputs inputs, int first, int length) {
        keys.truncate(0, 0);
        keys.append(0, inputs, first, length);
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
        if (shape.hasScores()) {
            setKeys(inputs, first, length);
        }
        if (shape.hasScoreGradients()) {
            values.truncate(0, 0);
            values.append(0, inputs.values(), inputs.keys(), NONE, first, length);
        }
        for (int head = 0; head < shape.heads(); head++) {
            int row = sequence * shape.width() + head * shape.headWidth();
            int columns = first * shape.width() + head * shape.headWidth();
            weigh(inputs, sequence, length, head);
            multiply(dInputs.values(), columns, scores.scores, length, dOutputs.outputs(), row);
            if (shape.hasScoreGradients()) {
                differentiate(dOutputs, outputs, sequence, length, head);
                scoreGradients(dInputs, inputs, length, head, row, columns);
                keepBiases(dBiases, sequence, length, head);
            } else if (shape.hasScores()) {
                clear(dInputs, length, row, columns);
            }
        }
    }

    /** Sets the weights of all positions. */
    private void weigh(AttentionInputs inputs, int sequence, int length, int head) {
        float[] w = scores.scores;
        if (shape.hasScores()) {
            scores.compute(inputs, keys, 0, sequence, head);
        }
        weights.start(ScoreStrip.sharpness(shape, shape.lengthFactor(length)), shape.cutoff(length));
        // With the greatest of all known before, no block has to be scaled later.
        weights.findGreatest(w, 0, length);
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
    private void differentiate(AttentionOutputs dOutputs, AttentionOutputs outputs, int sequence, int length, int head) {
        dScores.compute(dOutputs.outputs(), NONE, NONE, values, 0, sequence, head);
        int row = sequence * shape.width() + head * shape.headWidth();
        float mean = BackwardPass.dot(dOutputs.outputs(), outputs.outputs(), row, shape.headWidth());
        float factor = shape.lengthFactor(length);
        float[] w = scores.scores;
        float[] ds = dScores.scores;
        for (int j = 0; j < length; j += LANES) {
            FloatVector.fromArray(SPECIES, ds, j)
                    .sub(mean)
                    .mul(FloatVector.fromArray(SPECIES, w, j))
                    .mul(factor)
                    .intoArray(ds, j);
        }
    }

    private void scoreGradients(
            AttentionInputs dInputs, AttentionInputs inputs, int length, int head, int row, int columns) {
        int headWidth = shape.headWidth();
        float scale = shape.scoreScale();
        for (int d = 0; d < headWidth; d++) {
            query[d] = scale * inputs.queries()[row + d];
        }
        float[] ds = dScores.scores;
        multiply(dInputs.keys(), columns, ds, length, query, 0);
        int end = paddedWidth(headWidth);
        dQuery.clear(end);
        dQuery.add(0, headWidth, ds, 0, length, values.values, head * headWidth, shape.width());
        dQuery.scale(end, scale);
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
            dBiases[at + distance] = dScores.scores[length - 1 - distance];
        }
    }
}
