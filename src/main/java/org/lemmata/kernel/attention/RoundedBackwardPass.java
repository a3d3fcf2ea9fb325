package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionPacking.atLeast;
import static org.lemmata.kernel.attention.AttentionPacking.roundUp;
import static org.lemmata.kernel.attention.AttentionProducts.QUERIES;
import static org.lemmata.kernel.attention.TileAttention.LANES;
import static org.lemmata.kernel.attention.TileAttention.NARROW_ROWS;

import org.lemmata.kernel.attention.RoundedAttention.RoundedBackwardCall;

/**
 * The backward pass of one head of a sequence with rounded tensors, without identity terms or score bias. For each
 * block of queries, it recomputes the weights of all keys. Then it computes the gradients of weights, their mean and
 * the gradients of scores, and adds the contributions to the gradients of queries, keys and values.
 *
 * <p>Each object serves one thread and keeps its arrays, which grow to the largest head so far.
 */
final class RoundedBackwardPass extends BackwardHead {

    private final RoundedStrip strip = new RoundedStrip();
    private final RoundedStrip.Site gradientSite = new RoundedStrip.Site();

    /** Numbers of one block of keys for {@link AttentionProducts}: weights, or gradients of weights or of scores. */
    private final float[] block = new float[QUERIES * QUERIES];

    /** The gradients of the weights of all keys, then of their scores. */
    private float[] dStrip = {};

    /** Processes all queries of a head. The gradients of queries, keys and values are not yet rounded. */
    void run(RoundedBackwardCall call, AttentionUnit unit) {
        AttentionShape shape = unit.shape();
        AttentionInputs dInputs = call.dInputs;
        int length = unit.length;
        boolean causal = shape.mask() == AttentionShape.Mask.CAUSAL;
        packHead(unit);
        gradientSite.rounding = call.attention.rounding.gradients();
        strip.setHead(call.attention, unit, length);
        dStrip = atLeast(dStrip, roundUp(length, NARROW_ROWS) * QUERIES);
        for (int query = 0; query < length; query += QUERIES) {
            int queries = Math.min(QUERIES, length - query);
            int end = causal ? query + queries : length;
            packBlock(call.dOutputs, unit, query, queries);
            strip.score(unit, query, queries, end);
            strip.weighAll(end);
            strip.divide(end);
            if (shape.hasScoreGradients()) {
                scoreGradients(unit, queries, end);
            }
            addProducts(queries, end, shape);
            AttentionPacking.unpackScaled(dInputs.queries(), dQueries, unit, query, queries, shape.scoreScale(), 0f);
        }
        AttentionPacking.unpackScaled(dInputs.keys(), dKeys, unit, 0, length, shape.scoreScale(), 0f);
        AttentionPacking.unpackScaled(dInputs.values(), dValues, unit, 0, length, 1, 0f);
        strip.products.release();
    }

    /** Computes the gradients of weights and scores. Rounds the latter if {@link #gradientSite} is stochastic. */
    private void scoreGradients(AttentionUnit unit, int queries, int end) {
        for (int key = 0; key < end; key += QUERIES) {
            int keys = Math.min(QUERIES, end - key);
            AttentionProducts.scores(block, values, key, dOutputs.panels, keys, strip.diagonal(key));
            System.arraycopy(block, 0, dStrip, key * QUERIES, keys * QUERIES);
        }
        for (int lane = 0; lane < queries; lane += LANES) {
            int count = AttentionProducts.end(end, lane, strip.diagonal(0));
            AttentionProducts.mask(dStrip, lane, end, strip.diagonal(0), 0);
            strip.weights.findMeans(strip.scores, dStrip, lane, count);
            strip.weights.scoreGradients(strip.scores, dStrip, lane, count);
        }
        if (gradientSite.isStochastic()) {
            gradientSite.roundAll(dStrip, end, strip.blockStream(unit, RoundingStreams.SCORE_GRADIENTS));
        }
    }

    private void addProducts(int queries, int end, AttentionShape shape) {
        for (int key = 0; key < end; key += QUERIES) {
            int keys = Math.min(QUERIES, end - key);
            int diagonal = strip.diagonal(key);
            System.arraycopy(strip.scores, key * QUERIES, block, 0, keys * QUERIES);
            AttentionProducts.addToKeys(dValues, key, block, dOutputPanels.panels, keys, diagonal);
            if (shape.hasScoreGradients()) {
                gradientSite.copy(block, 0, dStrip, key * QUERIES, keys);
                AttentionProducts.addToKeys(dKeys, key, block, queryPanels.panels, keys, diagonal);
                AttentionProducts.addToQueries(dQueries, block, keyPanels, key, keys, queries, diagonal);
            }
        }
    }
}
