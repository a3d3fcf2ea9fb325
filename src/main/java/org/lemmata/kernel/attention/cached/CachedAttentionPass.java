package org.lemmata.kernel.attention.cached;

import static org.lemmata.kernel.attention.AttentionPacking.paddedWidth;

import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionProducts;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.AttentionShape.Weighting;

/**
 * Processes one head of one query: all scores, then weights and sums of values block by block. The blocks are those of
 * {@link org.lemmata.kernel.attention.VectorAttention}, so results are bit-identical.
 *
 * <p>Each object serves one thread and keeps its arrays, which grow to the largest cache and the longest sequence so
 * far.
 */
final class CachedAttentionPass {

    static final int BLOCK = AttentionProducts.QUERIES;

    private final QueryScores scores = new QueryScores();
    private final QueryWeights weights = new QueryWeights();

    /** The sums of values, padded to whole vectors, followed by the sums of tokens. */
    private final RowSums rowSums = new RowSums();

    /** Writes the outputs of a head and its averages of tokens. The averages are stored by row, then head. */
    @SuppressWarnings("ReferenceEquality") // Compares identity: the original array of values or a copy.
    void run(AttentionOutputs outputs, float[] headAverages, CachedAttentionCall call, int row, int head) {
        AttentionShape shape = call.shape;
        AttentionCache cache = call.cache;
        int headWidth = shape.headWidth();
        int tokenWidth = shape.identityWidth();
        int tokenSums = paddedWidth(headWidth);
        scores.compute(call, row, head);
        rowSums.clear(tokenSums + paddedWidth(tokenWidth));
        float[] values = cache == null ? call.inputs.values() : cache.values;
        int at = call.at(row, head);
        float[] readable = rowSums.readable(values, at, call.length(row), shape);
        float[] tokens = cache == null ? call.inputs.tokens() : cache.tokens;
        average(call, row, readable, readable == values ? at : 0, tokens);
        System.arraycopy(rowSums.sums, 0, outputs.outputs(), call.queryAt(row, head), headWidth);
        if (tokenWidth > 0) {
            int to = (row * shape.heads() + head) * tokenWidth;
            System.arraycopy(rowSums.sums, tokenSums, headAverages, to, tokenWidth);
        }
    }

    /** Replaces the scores by weights, and computes the weighted averages of values and tokens. */
    private void average(CachedAttentionCall call, int row, float[] values, int valueAt, float[] tokens) {
        AttentionShape shape = call.shape;
        float[] w = scores.scores;
        int length = call.length(row);
        int headWidth = shape.headWidth();
        int tokenWidth = shape.identityWidth();
        int tokenAt = call.firstRow(row) * tokenWidth;
        int tokenSums = paddedWidth(headWidth);
        int end = tokenSums + paddedWidth(tokenWidth);
        weights.start(shape, length);
        if (shape.weighting() == Weighting.THRESHOLDED) {
            weights.findMaximum(w, 0, length);
        }
        float total = 0;
        for (int from = 0; from < length; from += BLOCK) {
            int count = Math.min(BLOCK, length - from);
            weights.weigh(shape.weighting(), w, from, count);
            if (from > 0) {
                rowSums.scale(end, weights.factor);
            }
            rowSums.add(0, headWidth, w, from, count, values, valueAt + from * shape.width(), shape.width());
            float blockTotal = rowSums.total;
            if (tokenWidth > 0) {
                rowSums.add(tokenSums, tokenWidth, w, from, count, tokens, tokenAt + from * tokenWidth, tokenWidth);
            }
            total = blockTotal + weights.factor * total;
        }
        rowSums.divide(end, total);
    }
}
