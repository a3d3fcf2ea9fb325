package org.lemmata.kernel.attention;

import org.lemmata.argument.Refuse;

/**
 * The sizes and options of attention; {@link Attention} defines what each option computes.
 *
 * <p>Start with {@code AttentionShape.softmax(heads, headWidth)}; each {@code with...} adds an option.
 *
 * @param weighting how scores become weights
 * @param mask which positions of its sequence a query sees
 * @param heads at least 1
 * @param headWidth width of a head, at least 1; head h owns columns [h * headWidth, (h + 1) * headWidth) of a row
 * @param identityWidth columns of the tokens that the identity terms of all heads share; 0 for no identity terms
 * @param scoreScale factor of the inner products of queries with keys and of tokens with tokens
 * @param logLength the number whose logarithm multiplies scores
 * @param biasSpan the number of distances for which each head has a score bias; 0 for no score bias
 * @param thresholdBits p of {@link Weighting#THRESHOLDED}, from 1 to {@value #MAX_THRESHOLD_BITS}; 0 for other
 *     weightings
 */
public record AttentionShape(
        Weighting weighting,
        Mask mask,
        int heads,
        int headWidth,
        int identityWidth,
        float scoreScale,
        LogLength logLength,
        int biasSpan,
        int thresholdBits) {

    /** 2^-126 is the smallest normal binary32 number. Kernels may flush smaller exponentials to 0. */
    static final int MAX_THRESHOLD_BITS = 126;

    /** The smallest shape, used in place of a shape between calls. */
    public static final AttentionShape PLAIN = softmax(1, 1);

    /** How the final scores of row i, here s_ij, become weights u_ij, before these are divided by their sum. */
    public enum Weighting {
        /** exp(s_ij - max_l s_il). */
        SOFTMAX,
        /** 1. Scores, and therefore queries and keys, are not read. */
        UNIFORM,
        /** 1 if s_ij is the maximum score of the row, else 0. */
        HARDMAX,
        /**
         * exp(s_ij - max_l s_il), but 0 if this is at most 2^-p.
         *
         * <p>Source: Izzo, Nichani and Lee (2025), section 3.2.
         */
        THRESHOLDED
    }

    public enum Mask {
        /** A query sees its own position and all earlier positions. */
        CAUSAL,
        /** A query sees all positions. */
        NONE
    }

    /** The number whose logarithm multiplies scores. */
    public enum LogLength {
        NONE,
        /** n_i, the number of positions that query i sees; independent of later tokens under a causal mask. */
        SEEN,
        /**
         * |x|, the length of the whole sequence, for every query.
         *
         * <p>Source: Izzo, Nichani and Lee (2025), section 3.1. At the last position it equals {@link #SEEN}.
         */
        SEQUENCE
    }

    public AttentionShape {
        Refuse.when(heads < 1 || headWidth < 1, "heads, headWidth", "at least 1", heads + ", " + headWidth);
        String counts = identityWidth + ", " + biasSpan;
        Refuse.when(identityWidth < 0 || biasSpan < 0, "identityWidth, biasSpan", "at least 0", counts);
        Refuse.when(!Float.isFinite(scoreScale), "scoreScale", "a finite number", scoreScale);
        int minBits = weighting == Weighting.THRESHOLDED ? 1 : 0;
        int maxBits = weighting == Weighting.THRESHOLDED ? MAX_THRESHOLD_BITS : 0;
        String bits = (maxBits > 0 ? "1 to " + maxBits : "0") + " for " + weighting;
        Refuse.when(thresholdBits < minBits || thresholdBits > maxBits, "thresholdBits", bits, thresholdBits);
    }

    public AttentionShape(Weighting weighting, int heads, int headWidth, float scoreScale) {
        this(weighting, Mask.CAUSAL, heads, headWidth, 0, scoreScale, LogLength.NONE, 0, 0);
    }

    /** Causal softmax attention, scores scaled by 1 / sqrt(headWidth). */
    public static AttentionShape softmax(int heads, int headWidth) {
        return new AttentionShape(Weighting.SOFTMAX, heads, headWidth, (float) (1 / Math.sqrt(headWidth)));
    }

    public AttentionShape withScoreScale(float scale) {
        return new AttentionShape(
                weighting, mask, heads, headWidth, identityWidth, scale, logLength, biasSpan, thresholdBits);
    }

    public AttentionShape withoutMask() {
        return new AttentionShape(
                weighting, Mask.NONE, heads, headWidth, identityWidth, scoreScale, logLength, biasSpan, thresholdBits);
    }

    public AttentionShape withIdentities(int width) {
        return new AttentionShape(
                weighting, mask, heads, headWidth, width, scoreScale, logLength, biasSpan, thresholdBits);
    }

    public AttentionShape withLogLength(LogLength newLogLength) {
        return new AttentionShape(
                weighting, mask, heads, headWidth, identityWidth, scoreScale, newLogLength, biasSpan, thresholdBits);
    }

    public AttentionShape withScoreBias(int span) {
        return new AttentionShape(
                weighting, mask, heads, headWidth, identityWidth, scoreScale, logLength, span, thresholdBits);
    }

    /** This shape with softmax weights of at most 2^-bits set to 0. */
    public AttentionShape withThreshold(int bits) {
        return new AttentionShape(
                Weighting.THRESHOLDED, mask, heads, headWidth, identityWidth, scoreScale, logLength, biasSpan, bits);
    }

    /** Columns of a row of queries, keys, values and outputs: heads * headWidth. */
    public int width() {
        return heads * headWidth;
    }

    /** The size of an array that has, for each head, a copy of {@code rows} rows of tokens. */
    public int headTokens(int rows) {
        return AttentionPacking.size("total * heads * identityWidth", rows, heads, identityWidth);
    }

    /** Whether there are scores, so that queries, keys, a and score biases are read. */
    public boolean hasScores() {
        return weighting != Weighting.UNIFORM;
    }

    /** Whether scores have gradients. The gradients of hardmax are zero wherever they exist. */
    public boolean hasScoreGradients() {
        return weighting == Weighting.SOFTMAX || weighting == Weighting.THRESHOLDED;
    }

    public boolean savesMaxScores() {
        return weighting == Weighting.HARDMAX || weighting == Weighting.THRESHOLDED;
    }

    /** n_i: the number of positions that query {@code i} of a sequence of {@code length} sees. */
    public int seen(int i, int length) {
        return mask == Mask.CAUSAL ? i + 1 : length;
    }

    /** The number whose logarithm multiplies the scores of query {@code i}, if {@link #logLength} is not NONE. */
    public int counted(int i, int length) {
        return logLength == LogLength.SEQUENCE ? length : seen(i, length);
    }

    /** The factor of scores: ln {@code counted}, or 1 if {@link #logLength} is NONE. */
    public float lengthFactor(int counted) {
        return logLength == LogLength.NONE ? 1 : (float) StrictMath.log(counted);
    }

    /**
     * The minimum gap g between the maximum score and another score at which the weight exp(-g lengthFactor) is at most
     * 2^-p; infinite without a threshold. Scores exclude the factor {@link #lengthFactor}.
     *
     * <p>A weight is set to 0 by comparing the gap with this cutoff, so that ties are exact. For n = 16 and p = 8, the
     * cutoff is 8 / log2 16 = 2. The weight at that gap, exp(-2 ln 16), need not round to 2^-8.
     */
    public float cutoff(int counted) {
        if (weighting != Weighting.THRESHOLDED) {
            return Float.POSITIVE_INFINITY;
        }
        double exact = logLength == LogLength.NONE ? thresholdBits * Math.log(2) : thresholdBits / log2(counted);
        float nearest = (float) exact;
        return nearest < exact ? Math.nextUp(nearest) : nearest;
    }

    /** The logarithm of n, exact if n is a power of two. */
    private static double log2(int n) {
        int floor = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(n);
        return floor + StrictMath.log(Math.scalb((double) n, -floor)) / Math.log(2);
    }
}
