package org.lemmata.kernel.attention.cached;

import static org.lemmata.kernel.attention.AttentionPacking.atLeast;
import static org.lemmata.kernel.attention.AttentionPacking.roundUp;
import static org.lemmata.kernel.attention.TileAttention.LANES;
import static org.lemmata.kernel.attention.cached.AttentionCache.PANEL;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.ScoreStrip;
import org.lemmata.kernel.elementary.Species;

/**
 * The scores of one query with all positions of its sequence, for one head. The order of the fused multiply-adds is
 * that of {@link ScoreStrip}.
 *
 * <p>With a cache, the scores of four vectors of positions are computed at a time, each as a chain over the columns. If
 * fewer vectors are left, the last is computed repeatedly. A single chain would take as long as four, because of the
 * latency.
 */
final class QueryScores {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private static final int VECTORS = 4;

    /** One score per position, in whole blocks; undefined beyond the end of the sequence. */
    float[] scores = {};

    /** The head's query q, then the last token x. */
    private float[] query = {};

    void compute(CachedAttentionCall call, int row, int head) {
        AttentionShape shape = call.shape;
        scores = atLeast(scores, roundUp(call.longest, CachedAttentionPass.BLOCK));
        if (!shape.hasScores()) {
            return;
        }
        AttentionCache cache = call.cache;
        AttentionInputs inputs = call.inputs;
        int length = call.length(row);
        int headWidth = shape.headWidth();
        boolean scaled = ScoreStrip.isScaled(shape);
        float factor = scaled ? 1 : Math.signum(shape.scoreScale());
        query = atLeast(query, headWidth + shape.identityWidth());
        pack(0, inputs.queries(), call.queryAt(row, head), headWidth, factor);
        if (cache == null) {
            RowProducts.multiply(scores, query, 0, inputs.keys(), call.at(row, head), shape.width(), length, headWidth);
        } else {
            multiply(cache, call.number(row), inputs, head, factor);
        }
        if (scaled) {
            int span = shape.biasSpan();
            scale(roundUp(length, LANES), shape.scoreScale());
            addBiases(inputs.scoreBiases(), head * span, Math.min(span, length), length);
        }
    }

    private void multiply(AttentionCache cache, int sequence, AttentionInputs inputs, int head, float factor) {
        AttentionShape shape = cache.shape();
        int headWidth = shape.headWidth();
        int tokenWidth = shape.identityWidth();
        int length = cache.length(sequence);
        pack(headWidth, cache.tokens, cache.row(sequence, length - 1) * tokenWidth, tokenWidth, factor);
        int keys = cache.panelAt(sequence, 0, shape.width()) + head * headWidth * PANEL;
        int tokens = cache.panelAt(sequence, 0, tokenWidth);
        int last = (length - 1) / LANES * LANES;
        for (int j = 0; j <= last; j += VECTORS * LANES) {
            int j1 = Math.min(j + LANES, last);
            int j2 = Math.min(j + 2 * LANES, last);
            int j3 = Math.min(j + 3 * LANES, last);
            multiply(j, j1, j2, j3, cache.keys, keys, shape.width() * PANEL, headWidth);
            if (tokenWidth > 0) {
                float a = inputs.keyQueryIdentities()[head];
                addIdentities(j, j1, j2, j3, cache.tokenPanels, tokens, headWidth, tokenWidth, a);
            }
        }
    }

    private void pack(int at, float[] source, int offset, int count, float factor) {
        for (int d = 0; d < count; d++) {
            query[at + d] = factor * source[offset + d];
        }
    }

    /** The offset of column 0 of the vector of positions from {@code j} on. */
    private static int vectorAt(int panels, int panelStride, int j) {
        return panels + j / PANEL * panelStride + j % PANEL;
    }

    /** scores_j = sum_d q_d k_jd for four vectors of positions. */
    private void multiply(int j0, int j1, int j2, int j3, float[] panels, int at, int panelStride, int width) {
        int at0 = vectorAt(at, panelStride, j0);
        int at1 = vectorAt(at, panelStride, j1);
        int at2 = vectorAt(at, panelStride, j2);
        int at3 = vectorAt(at, panelStride, j3);
        float[] q = query;
        FloatVector s0 = FloatVector.zero(SPECIES);
        FloatVector s1 = s0;
        FloatVector s2 = s0;
        FloatVector s3 = s0;
        for (int d = 0; d < width; d++) {
            FloatVector x = FloatVector.broadcast(SPECIES, q[d]);
            s0 = x.fma(FloatVector.fromArray(SPECIES, panels, at0 + d * PANEL), s0);
            s1 = x.fma(FloatVector.fromArray(SPECIES, panels, at1 + d * PANEL), s1);
            s2 = x.fma(FloatVector.fromArray(SPECIES, panels, at2 + d * PANEL), s2);
            s3 = x.fma(FloatVector.fromArray(SPECIES, panels, at3 + d * PANEL), s3);
        }
        s0.intoArray(scores, j0);
        s1.intoArray(scores, j1);
        s2.intoArray(scores, j2);
        s3.intoArray(scores, j3);
    }

    /** scores_j += sum_d x_d (a x_jd). */
    private void addIdentities(
            int j0, int j1, int j2, int j3, float[] panels, int at, int queryAt, int width, float a) {
        int panelStride = width * PANEL;
        int at0 = vectorAt(at, panelStride, j0);
        int at1 = vectorAt(at, panelStride, j1);
        int at2 = vectorAt(at, panelStride, j2);
        int at3 = vectorAt(at, panelStride, j3);
        float[] q = query;
        FloatVector s0 = FloatVector.fromArray(SPECIES, scores, j0);
        FloatVector s1 = FloatVector.fromArray(SPECIES, scores, j1);
        FloatVector s2 = FloatVector.fromArray(SPECIES, scores, j2);
        FloatVector s3 = FloatVector.fromArray(SPECIES, scores, j3);
        for (int d = 0; d < width; d++) {
            FloatVector x = FloatVector.broadcast(SPECIES, q[queryAt + d]);
            s0 = x.fma(FloatVector.fromArray(SPECIES, panels, at0 + d * PANEL).mul(a), s0);
            s1 = x.fma(FloatVector.fromArray(SPECIES, panels, at1 + d * PANEL).mul(a), s1);
            s2 = x.fma(FloatVector.fromArray(SPECIES, panels, at2 + d * PANEL).mul(a), s2);
            s3 = x.fma(FloatVector.fromArray(SPECIES, panels, at3 + d * PANEL).mul(a), s3);
        }
        s0.intoArray(scores, j0);
        s1.intoArray(scores, j1);
        s2.intoArray(scores, j2);
        s3.intoArray(scores, j3);
    }

    private void scale(int end, float factor) {
        for (int j = 0; j < end; j += LANES) {
            FloatVector.fromArray(SPECIES, scores, j).mul(factor).intoArray(scores, j);
        }
    }

    /** Adds biases to the last {@code count} positions. The last position has distance 0. */
    private void addBiases(float[] biases, int at, int count, int length) {
        for (int distance = 0; distance < count; distance++) {
            scores[length - 1 - distance] += biases[at + distance];
        }
    }
}
