package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionPacking.paddedWidth;
import static org.lemmata.kernel.attention.AttentionPacking.roundUp;

import org.lemmata.kernel.attention.AttentionShape.Weighting;

/**
 * One head of one query: the scores of all positions, then for a block of them weights and sums of values, with the
 * blocks and so the bits of {@link AttentionForward}.
 *
 * <p>One object serves one thread; its arrays grow to the largest cache seen, and stay.
 */
final class StepPass {

    private static final int BLOCK = AttentionProducts.QUERIES;

    private final StepScores scores = new StepScores();
    private final StepWeights weights = new StepWeights();

    /** Of values, then, from whole vectors on, of tokens. */
    private final RowSums rowSums = new RowSums();

    /** Writes the outputs of a head, and its averages of tokens, those of all heads of a row side by side. */
    void run(
            AttentionOutputs outputs,
            float[] headAverages,
            AttentionInputs inputs,
            AttentionCache cache,
            int sequence,
            int row,
            int head) {
        AttentionShape shape = cache.shape();
        int length = cache.length(sequence);
        // By the capacity, not the length: that grows with every token.
        scores.reserve(roundUp(cache.capacity(), BLOCK));
        int tokenWidth = shape.identityWidth();
        if (shape.hasScores()) {
            scores.compute(inputs, cache, sequence, row, head);
        }
        int first = cache.row(sequence, 0);
        int value = first * shape.width() + head * shape.headWidth();
        float[] sums = average(shape, scores.scores, length, cache.values, value, cache.tokens, first * tokenWidth);
        int tokenSums = paddedWidth(shape.headWidth());
        System.arraycopy(sums, 0, outputs.outputs(), row * shape.width() + head * shape.headWidth(), shape.headWidth());
        System.arraycopy(sums, tokenSums, headAverages, (row * shape.heads() + head) * tokenWidth, tokenWidth);
    }

    /**
     * The averages of values, in the first sums, and of tokens, from whole vectors on, with the weights that scores
     * make; these take the place of the scores.
     *
     * @param w scores of {@code length} positions, with room up to whole blocks
     * @param values rows, the first of which begins at {@code valueAt}
     * @param tokens rows, the first of which begins at {@code tokenAt}
     */
    float[] average(
            AttentionShape shape, float[] w, int length, float[] values, int valueAt, float[] tokens, int tokenAt) {
        int headWidth = shape.headWidth();
        int tokenWidth = shape.identityWidth();
        int tokenSums = paddedWidth(headWidth);
        int end = tokenSums + paddedWidth(tokenWidth);
        rowSums.clear(end);
        weights.start(ScoreStrip.sharpness(shape, shape.lengthFactor(length)), shape.cutoff(length));
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
            rowSums.add(tokenSums, tokenWidth, w, from, count, tokens, tokenAt + from * tokenWidth, tokenWidth);
            total = blockTotal + weights.factor * total;
        }
        rowSums.divide(end, total);
        return rowSums.sums;
    }
}
