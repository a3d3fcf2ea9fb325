package org.lemmata.model;

import org.lemmata.argument.Refuse;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.kernel.attention.AttentionShape.Weighting;

/**
 * The attention of every layer. {@link org.lemmata.kernel.attention.Attention} defines scores and weights.
 *
 * @param heads heads of a layer, at least 1
 * @param headWidth columns of a head, at least 1
 * @param scores which positions a query sees, and how the positions are weighted
 * @param identities whether each head has trained factors a and b: a I is added to the product of its query and key
 *     matrices, if it has them, and b I to the product of its value and output matrices
 * @param identityMultiplier 0: the term of a is multiplied by scoreScale, like the inner product of query and key, and
 *     b is unscaled. Above 0: a and b are multiplied by this number, and the term of a is not multiplied by scoreScale
 * @param normalizeQueriesAndKeys whether the queries and keys of each head are normalized as
 *     {@link NormalizationOptions} defines; the heads of a layer share gains and shifts
 * @param outputProjection whether there is an output matrix W_O
 * @param biases whether queries, keys, values and, if there is a W_O, outputs have a bias
 */
public record AttentionOptions(
        int heads,
        int headWidth,
        Scores scores,
        boolean identities,
        float identityMultiplier,
        boolean normalizeQueriesAndKeys,
        boolean outputProjection,
        boolean biases) {

    /**
     * Attention scores and how they become weights.
     *
     * @param weighting how scores become weights
     * @param mask which positions a query sees
     * @param scoreScale factor of the inner product of query and key
     * @param logLength the number whose logarithm multiplies scores: none, the number of positions that the query sees,
     *     or the length of the sequence
     * @param scoreBiasSpan number of distances i - j &gt;= 0 from query i to key j for which each head has a trained
     *     score bias phi(i - j); 0 for none
     * @param thresholdBits p: thresholded weighting sets weights of at most 2^-p times the largest weight to 0; 0 for
     *     other weightings
     */
    public record Scores(
            Weighting weighting,
            Mask mask,
            float scoreScale,
            LogLength logLength,
            int scoreBiasSpan,
            int thresholdBits) {}

    public AttentionOptions {
        // The constructor of the kernel's shape checks the values.
        shape(heads, headWidth, scores, 0);
        Refuse.when(
                !(identityMultiplier >= 0 && identityMultiplier < Float.POSITIVE_INFINITY)
                        || (identityMultiplier > 0 && (!identities || scores.scoreScale == 0)),
                "identityMultiplier",
                "0, or with identities and a scoreScale a finite number above 0",
                identityMultiplier);
        if (scores.weighting == Weighting.UNIFORM
                && (scores.scoreBiasSpan > 0 || normalizeQueriesAndKeys || scores.logLength != LogLength.NONE)) {
            throw new IllegalArgumentException("weighting: expected one with scores for scoreBiasSpan,"
                    + " normalizeQueriesAndKeys or logLength, got UNIFORM");
        }
    }

    /** Causal softmax with scores scaled by 1 / sqrt(headWidth), an output projection and no biases. */
    public static AttentionOptions softmax(int heads, int headWidth) {
        float scale = (float) (1 / Math.sqrt(headWidth));
        var scores = new Scores(Weighting.SOFTMAX, Mask.CAUSAL, scale, LogLength.NONE, 0, 0);
        return new AttentionOptions(heads, headWidth, scores, false, 0, false, true, false);
    }

    public AttentionOptions withWeighting(Weighting newWeighting, int newThresholdBits) {
        return with(new Scores(newWeighting, mask(), scoreScale(), logLength(), scoreBiasSpan(), newThresholdBits));
    }

    public AttentionOptions withMask(Mask newMask) {
        return with(new Scores(weighting(), newMask, scoreScale(), logLength(), scoreBiasSpan(), thresholdBits()));
    }

    public AttentionOptions withScores(float newScale, LogLength newLogLength, int newBiasSpan) {
        return with(new Scores(weighting(), mask(), newScale, newLogLength, newBiasSpan, thresholdBits()));
    }

    public AttentionOptions withIdentities(boolean newIdentities) {
        return withIdentities(newIdentities, 0);
    }

    public AttentionOptions withIdentities(boolean newIdentities, float newMultiplier) {
        return with(scores, newIdentities, newMultiplier, normalizeQueriesAndKeys, outputProjection, biases);
    }

    public AttentionOptions withNormalizedQueriesAndKeys(boolean newNormalize) {
        return with(scores, identities, identityMultiplier, newNormalize, outputProjection, biases);
    }

    public AttentionOptions withOutputProjection(boolean newProjection) {
        return with(scores, identities, identityMultiplier, normalizeQueriesAndKeys, newProjection, biases);
    }

    public AttentionOptions withBiases(boolean newBiases) {
        return with(scores, identities, identityMultiplier, normalizeQueriesAndKeys, outputProjection, newBiases);
    }

    private AttentionOptions with(Scores newScores) {
        return with(newScores, identities, identityMultiplier, normalizeQueriesAndKeys, outputProjection, biases);
    }

    private AttentionOptions with(
            Scores s, boolean identity, float multiplier, boolean normalize, boolean projection, boolean bias) {
        return new AttentionOptions(heads, headWidth, s, identity, multiplier, normalize, projection, bias);
    }

    public Weighting weighting() {
        return scores.weighting;
    }

    public Mask mask() {
        return scores.mask;
    }

    public float scoreScale() {
        return scores.scoreScale;
    }

    public LogLength logLength() {
        return scores.logLength;
    }

    public int scoreBiasSpan() {
        return scores.scoreBiasSpan;
    }

    public int thresholdBits() {
        return scores.thresholdBits;
    }

    /** Columns of queries, keys and values: heads * headWidth. */
    public int width() {
        return Math.multiplyExact(heads, headWidth);
    }

    /** The factor of a in the kernel's score: scoreScale * (query . key + factor * a * inner product of u). */
    public float keyQueryFactor() {
        return identityMultiplier == 0 ? 1 : identityMultiplier / scoreScale();
    }

    /** The factor by which b is multiplied. */
    public float valueOutputFactor() {
        return identityMultiplier == 0 ? 1 : identityMultiplier;
    }

    /** Whether there are queries and keys. */
    public boolean hasScores() {
        return weighting() != Weighting.UNIFORM;
    }

    AttentionShape shape(int modelWidth) {
        return shape(heads, headWidth, scores, identities ? modelWidth : 0);
    }

    private static AttentionShape shape(int heads, int headWidth, Scores scores, int identityWidth) {
        return new AttentionShape(
                scores.weighting,
                scores.mask,
                heads,
                headWidth,
                identityWidth,
                scores.scoreScale,
                scores.logLength,
                scores.scoreBiasSpan,
                scores.thresholdBits);
    }
}
