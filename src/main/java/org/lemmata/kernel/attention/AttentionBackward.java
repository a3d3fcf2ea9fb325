package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionProducts.QUERIES;
import static org.lemmata.kernel.attention.TileAttention.LANES;

import java.util.Arrays;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.kernel.attention.VectorAttention.BackwardCall;

/**
 * The backward pass of one head of a sequence. For each block of queries and each block of keys that the queries see,
 * it recomputes the weights from scores and saved values. Then it computes the gradients of weights and of scores, and
 * adds their contributions to the gradients of queries, keys and values. The gradients of all keys and values stay in
 * scratch arrays until the end.
 *
 * <p>Identity terms are additional columns. Where scores and the gradients of weights are computed, they are a x in the
 * keys and b x in the values. Where gradients are summed, they are x in the queries and keys and dz in the output
 * gradients, so that these columns also give the gradients of a and b. Each object serves one thread and keeps its
 * arrays, which grow to the largest head so far.
 */
final class AttentionBackward extends BackwardHead {

    private static final double LN_2 = Math.log(2);
    private static final double LOG2_E = 1 / LN_2;

    private final ScoreStrip scores = new ScoreStrip(false);
    private final AttentionWeights weights = new AttentionWeights();
    private final ScoreBias dBias = new ScoreBias();

    /** The gradients of weights, then of scores, with one number per pair of query and key. */
    private final float[] dStrip = new float[QUERIES * QUERIES];

    /** Processes all queries of a head. The gradients of tokens, a, b and phi go to {@code partials}. */
    void run(BackwardCall call, BackwardPartials partials, AttentionUnit unit) {
        AttentionShape shape = unit.shape();
        AttentionInputs dInputs = call.dInputs;
        int length = unit.length;
        boolean causal = shape.mask() == Mask.CAUSAL;
        boolean scored = shape.hasScoreGradients();
        packHead(unit);
        scores.setHead(unit, length);
        dBias.clear(shape.biasSpan());
        for (int query = 0; query < length; query += QUERIES) {
            int queries = Math.min(QUERIES, length - query);
            packBlock(call.dOutputs, unit, query, queries);
            scores.setQueries(unit, query, queries);
            setRows(call.dOutputs, call.outputs, unit, query, queries);
            int end = causal ? query + queries : length;
            if (scored && shape.identityWidth() > 0) {
                sumMeans(query, queries, end, causal, shape);
            }
            for (int key = 0; key < end; key += QUERIES) {
                int keys = Math.min(QUERIES, end - key);
                int diagonal = causal ? query - key : AttentionProducts.UNMASKED;
                weigh(key, keys, queries, diagonal, shape);
                AttentionProducts.addToKeys(dValues, key, scores.strip, dOutputPanels.panels, keys, diagonal);
                if (scored) {
                    dWeights(key, keys, queries, diagonal);
                    dScores(keys, queries, diagonal);
                    AttentionProducts.addToKeys(dKeys, key, dStrip, queryPanels.panels, keys, diagonal);
                    AttentionProducts.addToQueries(dQueries, dStrip, keyPanels, key, keys, queries, diagonal);
                    dBias.accumulate(dStrip, keys, queries, diagonal, query - key);
                }
            }
            if (shape.hasScores()) {
                AttentionPacking.unpackScaled(
                        dInputs.queries(), dQueries, unit, query, queries, shape.scoreScale(), -0f);
            }
            partials.addQueries(dQueries, unit, query, queries);
        }
        if (shape.hasScores()) {
            AttentionPacking.unpackScaled(dInputs.keys(), dKeys, unit, 0, length, shape.scoreScale(), -0f);
        }
        AttentionPacking.unpackScaled(dInputs.values(), dValues, unit, 0, length, 1, -0f);
        partials.addKeys(dKeys, dValues, unit);
        partials.setBias(dBias, unit);
    }

    /**
     * Sets the numbers of each query in {@code weights}. For softmax, the shifts are -log2(e) times the saved logarithm
     * of the sum (-infinity in lanes without a query); the multipliers are close to 1 and correct the rounding error of
     * the shifts. For the other weightings the multipliers are 1 / (sum of weights), so that thresholded weights are
     * bit-identical to hardmax weights if only ties are left.
     *
     * <p>The mean of a query, sum_j w_ij dw_ij, is &lt;do_i, o_i&gt; without identity terms; otherwise
     * {@link #sumMeans} replaces it.
     */
    private void setRows(AttentionOutputs dOut, AttentionOutputs outputs, AttentionUnit unit, int query, int queries) {
        AttentionShape shape = unit.shape();
        int headWidth = shape.headWidth();
        Arrays.fill(weights.shifts, Float.NEGATIVE_INFINITY);
        Arrays.fill(weights.multipliers, 1);
        // In lanes without a query, no score can equal this maximum.
        Arrays.fill(weights.maximum, Float.POSITIVE_INFINITY);
        Arrays.fill(weights.means, 0);
        for (int i = 0; i < queries; i++) {
            int row = unit.numberAt(query + i);
            int counted = shape.counted(query + i, unit.length);
            weights.lengthFactors[i] = shape.lengthFactor(counted);
            weights.sharpness[i] = ScoreStrip.sharpness(shape, weights.lengthFactors[i]);
            if (shape.savesMaxScores()) {
                weights.maximum[i] = outputs.maxScores()[row];
                weights.cutoffs[i] = shape.cutoff(counted);
                weights.multipliers[i] = 1 / outputs.normalizers()[row];
            } else {
                double shift = -LOG2_E * outputs.normalizers()[row];
                weights.shifts[i] = (float) shift;
                weights.multipliers[i] = (float) (1 + LN_2 * (shift - weights.shifts[i]));
            }
            weights.means[i] = AttentionProducts.dot(dOut.outputs(), outputs.outputs(), row * headWidth, headWidth);
        }
    }

    /**
     * Computes each query's mean by summing w dw, because identity outputs are sums over heads, and the part of each
     * head is not saved. Also sums w; dividing by this sum corrects the rounding error of the saved values.
     */
    private void sumMeans(int query, int queries, int end, boolean causal, AttentionShape shape) {
        Arrays.fill(weights.means, 0);
        Arrays.fill(weights.totals, 0);
        for (int key = 0; key < end; key += QUERIES) {
            int keys = Math.min(QUERIES, end - key);
            int diagonal = causal ? query - key : AttentionProducts.UNMASKED;
            weigh(key, keys, queries, diagonal, shape);
            dWeights(key, keys, queries, diagonal);
            for (int lane = 0; lane < queries; lane += LANES) {
                weights.addToMeans(scores.strip, dStrip, lane, AttentionProducts.end(keys, lane, diagonal));
            }
        }
        for (int i = 0; i < queries; i++) {
            weights.means[i] /= weights.totals[i];
            weights.multipliers[i] /= weights.totals[i];
        }
    }

    private void weigh(int key, int keys, int queries, int diagonal, AttentionShape shape) {
        scores.compute(key, keys, diagonal);
        for (int lane = 0; lane < queries; lane += LANES) {
            int end = AttentionProducts.end(keys, lane, diagonal);
            AttentionProducts.mask(scores.strip, lane, keys, diagonal, Float.NEGATIVE_INFINITY);
            assert shape.hasScores();
            weights.weigh(shape.weighting(), scores.strip, lane, diagonal + lane + 1, end);
        }
    }

    private void dWeights(int key, int keys, int queries, int diagonal) {
        AttentionProducts.scores(dStrip, values, key, dOutputs.panels, keys, diagonal);
        for (int lane = 0; lane < queries; lane += LANES) {
            AttentionProducts.mask(dStrip, lane, keys, diagonal, 0);
        }
    }

    private void dScores(int keys, int queries, int diagonal) {
        for (int lane = 0; lane < queries; lane += LANES) {
            weights.scoreGradients(dStrip, scores.strip, lane, AttentionProducts.end(keys, lane, diagonal));
        }
    }
}
