package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionPacking.paddedWidth;
import static org.lemmata.kernel.attention.AttentionPacking.roundUp;

import org.lemmata.kernel.attention.AttentionShape.Weighting;

/**
 * One head of one query: the scores of all positions, then for a block of them weights and sums of values, with the
 * blocks and so the bits of {@link ForwardPass}.
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
        int headWidth = shape.headWidth();
        int tokenWidth = shape.identityWidth();
        int tokenSums = paddedWidth(headWidth);
        int end = tokenSums + paddedWidth(tokenWidth);
        rowSums.clear(end);

        if (shape.hasScores()) {
            scores.compute(inputs, cache, sequence, row, head);
        }
        weights.start(ScoreStrip.sharpness(shape, shape.lengthFactor(length)), shape.cutoff(length));
        if (shape.weighting() == Weighting.THRESHOLDED) {
            weights.findGreatest(scores.scores, 0, length);
        }
        float total = 0;
        for (int from = 0; from < length; from += BLOCK) {
            int count = Math.min(BLOCK, length - from);
            weights.weigh(shape.weighting(), scores.scores, from, count);
            if (from > 0) {
                rowSums.scale(end, weights.factor);
            }
            int first = cache.row(sequence, from);
            int value = first * shape.width() + head * headWidth;
            float[] w = scores.scores;
            rowSums.add(0, headWidth, w, from, count, cache.values, value, shape.width());
            float blockTotal = rowSums.total;
            rowSums.add(tokenSums, tokenWidth, w, from, count, cache.tokens, first * tokenWidth, tokenWidth);
            total = blockTotal + weights.factor * total;
        }
        rowSums.divide(end, total);
        float[] sums = rowSums.sums;
        System.arraycopy(sums, 0, outputs.outputs(), row * shape.width() + head * headWidth, headWidth);
        System.arraycopy(
                sums, tokenSums, headAverages, (row * shape.heads() + head) * tokenWidth, tokenWidth);
    }
}
