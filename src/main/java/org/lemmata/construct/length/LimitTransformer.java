package org.lemmata.construct.length;

import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.model.Architecture;
import org.lemmata.model.AttentionOptions;
import org.lemmata.model.FeedForwardOptions;
import org.lemmata.model.NormalizationOptions;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.PositionOptions;

/**
 * The limit transformer of one layer and one head: causal attention at p bits over scores times the logarithm of the
 * length, residual, no norms, a real number at the last position.
 *
 * <p>Source: Izzo, Nichani and Lee (2025), sections 3.1 and 3.2.
 */
final class LimitTransformer {

    /** What the kernels let p be: 2^-126 is the smallest normal number of binary32. */
    private static final int MAX_BITS = 126;

    private LimitTransformer() {}

    static void check(int p, int maxLength) {
        if (p < 1 || p > MAX_BITS) {
            throw new IllegalArgumentException("p: expected 1 to " + MAX_BITS + ", got " + p);
        }
        if (maxLength < 1) {
            throw new IllegalArgumentException("maxLength: expected at least 1, got " + maxLength);
        }
    }

    /**
     * @param p bits of the thresholded softmax: a weight of at most 2^-p of the maximum is 0
     * @param headWidth columns of the head, whose values an output projection takes back to the width
     */
    static Architecture architecture(
            int vocabularySize,
            int maxLength,
            int width,
            PositionOptions positions,
            int headWidth,
            int p,
            @Nullable FeedForwardOptions feedForward) {
        return new Architecture(
                new Architecture.Size(vocabularySize, maxLength, width, 1),
                positions,
                AttentionOptions.softmax(1, headWidth)
                        .withWeighting(Weighting.THRESHOLDED, p)
                        .withScores(1, LogLength.SEQUENCE, 0),
                feedForward,
                NormalizationOptions.none(),
                true,
                OutputOptions.regression(false),
                0);
    }

    /** Significand bits of a sum that counts to n: ceil(log2(n + 1)). */
    static int bitsOfCount(int n) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(n);
    }
}
