package org.lemmata.kernel.attention.cached;

import static org.lemmata.kernel.attention.AttentionPacking.atLeast;
import static org.lemmata.kernel.attention.AttentionPacking.paddedWidth;
import static org.lemmata.kernel.attention.TileAttention.LANES;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionProducts;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.elementary.Species;

/**
 * Computes the gradients for one head of one query, whose keys and values are the rows of a sequence.
 *
 * <p>Each object serves one thread and keeps its arrays, which grow to the longest sequence so far.
 */
final class CachedAttentionGradients {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private final QueryScores scores = new QueryScores();
    private final QueryWeights weights = new QueryWeights();
    private final RowSums dQuery = new RowSums();

    /** The gradients of weights, then of scores. */
    private float[] ds = {};

    /** The query, multiplied by the scale of scores. */
    private float[] query = {};

    /** Writes the gradients of a query, and of the keys and values that it sees. */
    void run(
            AttentionInputs dInputs,
            float[] dBiases,
            AttentionOutputs dOutputs,
            AttentionOutputs outputs,
            CachedAttentionCall call,
            int row,
            int head) {
        AttentionShape shape = call.shape;
        int length = call.length(row);
        int queryAt = call.queryAt(row, head);
        int at = call.at(row, head);
        scores.compute(call, row, head);
        weigh(scores.scores, length, shape);
        multiply(dInputs.values(), at, scores.scores, length, dOutputs.outputs(), queryAt, shape);
        if (shape.hasScoreGradients()) {
            ds = atLeast(ds, scores.scores.length);
            differentiate(dOutputs.outputs(), outputs.outputs(), call.inputs.values(), length, queryAt, at, shape);
            scoreGradients(dInputs, call, row, head);
            // The last position has distance 0.
            int span = shape.biasSpan();
            for (int distance = 0; distance < Math.min(span, length); distance++) {
                dBiases[(row * shape.heads() + head) * span + distance] = ds[length - 1 - distance];
            }
        } else if (shape.hasScores()) {
            clear(dInputs, length, queryAt, at, shape);
        }
    }

    private void weigh(float[] w, int length, AttentionShape shape) {
        weights.start(shape, length);
        if (length > CachedAttentionPass.BLOCK || shape.weighting() == Weighting.THRESHOLDED) {
            // If the maximum of all positions is known first, no block has to be rescaled.
            weights.findMaximum(w, 0, length);
        }
        float total = 0;
        for (int from = 0; from < length; from += CachedAttentionPass.BLOCK) {
            int count = Math.min(CachedAttentionPass.BLOCK, length - from);
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
            float[] dOutputs, float[] outputs, float[] values, int length, int queryAt, int at, AttentionShape shape) {
        float[] w = scores.scores;
        RowProducts.multiply(ds, dOutputs, queryAt, values, at, shape.width(), length, shape.headWidth());
        float mean = AttentionProducts.dot(dOutputs, outputs, queryAt, shape.headWidth());
        float factor = shape.lengthFactor(length);
        for (int j = 0; j < length; j += LANES) {
            FloatVector.fromArray(SPECIES, ds, j)
                    .sub(mean)
                    .mul(FloatVector.fromArray(SPECIES, w, j))
                    .mul(factor)
                    .intoArray(ds, j);
        }
    }

    @SuppressWarnings("ReferenceEquality") // Compares identity: the original array of keys or a copy.
    private void scoreGradients(AttentionInputs dInputs, CachedAttentionCall call, int row, int head) {
        AttentionShape shape = call.shape;
        float scale = shape.scoreScale();
        float[] keys = call.inputs.keys();
        int length = call.length(row);
        int queryAt = call.queryAt(row, head);
        int at = call.at(row, head);
        int headWidth = shape.headWidth();
        int end = paddedWidth(headWidth);
        query = atLeast(query, headWidth);
        for (int d = 0; d < headWidth; d++) {
            query[d] = scale * call.inputs.queries()[queryAt + d];
        }
        multiply(dInputs.keys(), at, ds, length, query, 0, shape);
        dQuery.clear(end);
        float[] readable = dQuery.readable(keys, at, length, shape);
        dQuery.add(0, headWidth, ds, 0, length, readable, readable == keys ? at : 0, shape.width());
        dQuery.scale(end, scale);
        System.arraycopy(dQuery.sums, 0, dInputs.queries(), queryAt, headWidth);
    }

    /**
     * Sets the rows of one head from {@code at} on: row j becomes factor_j times the row at {@code xAt} of {@code x}.
     */
    private static void multiply(
            float[] rows, int at, float[] factors, int length, float[] x, int xAt, AttentionShape shape) {
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

    private static void clear(AttentionInputs dInputs, int length, int queryAt, int at, AttentionShape shape) {
        int headWidth = shape.headWidth();
        Arrays.fill(dInputs.queries(), queryAt, queryAt + headWidth, 0);
        for (int j = 0; j < length; j++) {
            int from = at + j * shape.width();
            Arrays.fill(dInputs.keys(), from, from + headWidth, 0);
        }
    }
}
