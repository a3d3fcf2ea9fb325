package org.lemmata.kernel.attention;

/**
 * The sizes and options of an attention; {@link Attention} defines what each option computes.
 *
 * <p>Start with {@code AttentionShape.softmax(heads, headWidth)}; each {@code with...} adds an option.
 *
 * @param weighting how scores become weights
 * @param mask which positions of its sequence a query sees
 * @param heads number of heads, at least 1
 * @param headWidth width of a head, at least 1; head h owns columns [h * headWidth, (h + 1) * headWidth) of a row
 * @param identityWidth columns of the tokens that the identity terms of all heads share; 0 for no identity terms
 * @param scoreScale factor of the inner product of query and key
 * @param logLength which logarithm the score is multiplied by
 * @param biasSpan number of distances that have a score bias, for each head; 0 for no score bias
 * @param thresholdBits p of {@link Weighting#THRESHOLDED}, from 1 to {@value #MAX_THRESHOLD_BITS}; 0 for the others
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

    /** 2^-126 is the smallest normal number of binary32; kernels may flush smaller exponentials to 0. */
    static final int MAX_THRESHOLD_BITS = 126;

    /** The smallest shape: a placeholder between calls. */
    public static final AttentionShape PLAIN = softmax(1, 1);

    /** How the final scores of row i become weights u_ij, before they are divided by their sum. */
    public enum Weighting {
        /** exp(s_ij - max_l s_il). */
        SOFTMAX,
        /** 1: the scores, and so queries and keys, are not read. */
        UNIFORM,
        /** 1 where s_ij is the maximum score of the row, else 0. */
        HARDMAX,
        /**
         * exp(s_ij - max_l s_il), but 0 if that is at most 2^-p.
         *
         * <p>Source: Izzo, Nichani and Lee (2025), section 3.2.
         */
        THRESHOLDED
    }

    /** Which positions of its own sequence a query sees. */
    public enum Mask {
        /** Its own position and all earlier ones. */
        CAUSAL,
        /** All positions. */
        NONE
    }

    /** The number whose logarithm scores are multiplied by. */
    public enum LogLength {
        /** None: scores stay as they are. */
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
        if (heads < 1 || headWidth < 1) {
            throw new IllegalArgumentException(
                    "heads, headWidth: expected at least 1, got " + heads + ", " + headWidth);
        }
        if (identityWidth < 0 || biasSpan < 0) {
            throw new IllegalArgumentException(
                    "identityWidth, biasSpan: expected at least 0, got " + identityWidth + ", " + biasSpan);
        }
        if (!Float.isFinite(scoreScale)) {
            throw new IllegalArgumentException("scoreScale: expected a finite number, got " + scoreScale);
        }
        boolean thresholded = weighting == Weighting.THRESHOLDED;
        if (thresholded ? thresholdBits < 1 || thresholdBits > MAX_THRESHOLD_BITS : thresholdBits != 0) {
            throw new IllegalArgumentException("thresholdBits: expected "
                    + (thresholded ? "1 to " + MAX_THRESHOLD_BITS : "0") + " for " + weighting + ", got "
                    + thresholdBits);
        }
    }

    /** Causal attention without further options. */
    public AttentionShape(Weighting weighting, int heads, int headWidth, float scoreScale) {
        this(weighting, Mask.CAUSAL, heads, headWidth, 0, scoreScale, LogLength.NONE, 0, 0);
    }

    /** Causal softmax attention, scores scaled by 1 / sqrt(headWidth). */
    public static AttentionShape softmax(int heads, int headWidth) {
        return new AttentionShape(Weighting.SOFTMAX, heads, headWidth, (float) (1 / Math.sqrt(headWidth)));
    }

    /** This shape with another factor of the inner products. */
    public AttentionShape withScoreScale(float scale) {
        return new AttentionShape(
                weighting, mask, heads, headWidth, identityWidth, scale, logLength, biasSpan, thresholdBits);
    }

    /** This shape without a mask. */
    public AttentionShape withoutMask() {
        return new AttentionShape(
                weighting, Mask.NONE, heads, headWidth, identityWidth, scoreScale, logLength, biasSpan, thresholdBits);
    }

    /** This shape with identity terms over tokens of {@code width} columns. */
    public AttentionShape withIdentities(int width) {
        return new AttentionShape(
                weighting, mask, heads, headWidth, width, scoreScale, logLength, biasSpan, thresholdBits);
    }

    /** This shape with scores multiplied by a logarithm. */
    public AttentionShape withLogLength(LogLength newLogLength) {
        return new AttentionShape(
                weighting, mask, heads, headWidth, identityWidth, scoreScale, newLogLength, biasSpan, thresholdBits);
    }

    /** This shape with a score bias for each of the distances 0 ... span - 1. */
    public AttentionShape withScoreBias(int span) {
        return new AttentionShape(
                weighting, mask, heads, headWidth, identityWidth, scoreScale, logLength, span, thresholdBits);
    }

    /** This shape with softmax weights of at most 2^-bits zeroed. */
    public AttentionShape withThreshold(int bits) {
        return new AttentionShape(
                Weighting.THRESHOLDED, mask, heads, headWidth, identityWidth, scoreScale, logLength, biasSpan, bits);
    }

    /** Columns of a row of queries, keys, values and outputs: heads * headWidth. */
    public int width() {
        return heads * headWidth;
    }

    /** Size of an array with a copy of the tokens of {@code rows} rows for each head. */
    public int headTokens(int rows) {
        return AttentionPacking.size("total * heads * identityWidth", rows, heads, identityWidth);
    }

    /** Whether there are scores, so that queries, keys, a and score biases are read. */
    public boolean hasScores() {
        return weighting != Weighting.UNIFORM;
    }

    /** Whether scores have gradients: hardmax gradients are zero wherever they exist. */
    public boolean hasScoreGradients() {
        return weighting == Weighting.SOFTMAX || weighting == Weighting.THRESHOLDED;
    }

    /** Whether the maximum score of a row is saved for the backward pass. */
    public boolean savesMaxScores() {
        return weighting == Weighting.HARDMAX || weighting == Weighting.THRESHOLDED;
    }

    /** n_i: the number of positions that query {@code i} of a sequence of {@code length} sees. */
    public int seen(int i, int length) {
        return mask == Mask.CAUSAL ? i + 1 : length;
    }

    /** The number whose logarithm, if any, the scores of query {@code i} of a sequence are multiplied by. */
    public int counted(int i, int length) {
        return logLength == LogLength.SEQUENCE ? length : seen(i, length);
    }

    /** The factor of a score: ln {@code counted}, or 1. */
    public float lengthFactor(int counted) {
        return logLength == LogLength.NONE ? 1 : (float) StrictMath.log(counted);
    }

    /**
     * The minimum gap g between the maximum score and another, both before the factor {@link #lengthFactor}, at which
     * the weight exp(-g lengthFactor) is at most 2^-p; infinite without a threshold.
     *
     * <p>A weight is thus zeroed by comparing two binary32 numbers, and ties are exact: for n = 16, p = 8 the cutoff is
     * 8 / log2 16 = 2, while exp(-2 ln 16) need not round to 2^-8.
     */
    public float cutoff(int counted) {
        if (weighting != Weighting.THRESHOLDED) {
            return Float.POSITIVE_INFINITY;
        }
        double exact = logLength == LogLength.NONE ? thresholdBits * Math.log(2) : thresholdBits / log2(counted);
        float nearest = (float) exact;
        return nearest < exact ? Math.nextUp(nearest) : nearest;
    }

    /** Exact for powers of two. */
    private static double log2(int n) {
        int floor = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(n);
        return floor + StrictMath.log(Math.scalb((double) n, -floor)) / Math.log(2);
    }
}
