package org.lemmata.model;

import org.lemmata.argument.Refuse;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.kernel.attention.AttentionShape.Weighting;

/**
 * The attention of every layer; {@link org.lemmata.kernel.attention.Attention} states what scores and weights are.
 *
 * @param heads heads of a layer, at least 1
 * @param headWidth columns of a head, at least 1
 * @param scores what a query sees, and how much of it
 * @param identities whether there are the trained factors a and b of each head, of the identity in the product of query
 *     and key matrix and in that of value and output matrix
 * @param identityMultiplier 0: a adds to the inner product of query and key, which scoreScale multiplies, and b is as
 *     it is; above 0: a and b are multiplied by it, and a adds to the scaled score
 * @param normalizeQueriesAndKeys whether queries and keys are normalized, each head for itself, by the normalization of
 *     {@link NormalizationOptions} with gains and shifts of their own, which the heads of a layer share
 * @param outputProjection whether W_O is there
 * @param biases whether queries, keys, values and outputs have a bias, the last where there is W_O
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
     * Scores, and the weights that they become.
     *
     * @param weighting how scores become weights
     * @param mask which positions a query sees
     * @param scoreScale factor of the inner product of query and key
     * @param logLength which logarithm scores are multiplied by: none, that of the number of positions that a query
     *     sees, or that of the length of the sequence
     * @param scoreBiasSpan for how many distances there is a trained score bias phi(i - j) of each head; 0 for none
     * @param thresholdBits p of thresholded weights, 0 for the others
     */
    public record Scores(
            Weighting weighting,
            Mask mask,
            float scoreScale,
            LogLength logLength,
            int scoreBiasSpan,
            int thresholdBits) {}

    public AttentionOptions {
        // The kernel's shape refuses what makes no attention.
        shape(heads, headWidth, scores, 0);
        Refuse.when(
                !(identityMultiplier >= 0 && identityMultiplier < Float.POSITIVE_INFINITY)
                        || (identityMultiplier > 0 && (!identities || scores.scoreScale == 0)),
                "identityMultiplier",
                "0, or with identities and a scoreScale a finite number above 0",
                identityMultiplier);
        if (scores.weighting == Weighting.UNIFORM
                && (scores.scoreBiasSpan > 0 || normalizeQueriesAndKeys || scores.logLength != LogLength.NONE)) {
            throw new IllegalArgumentException("weighting: expected one with scores beside scoreBiasSpan,"
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

    private AttentionOptions with(Scores newScores) {
        return new AttentionOptions(
                heads,
                headWidth,
                newScores,
                identities,
                identityMultiplier,
                normalizeQueriesAndKeys,
                outputProjection,
                biases);
    }

    public AttentionOptions withIdentities(boolean newIdentities) {
        return withIdentities(newIdentities, 0);
    }

    public AttentionOptions withIdentities(boolean newIdentities, float newMultiplier) {
        return new AttentionOptions(
                heads,
                headWidth,
                scores,
                newIdentities,
                newMultiplier,
                normalizeQueriesAndKeys,
                outputProjection,
                biases);
    }

    public AttentionOptions withNormalizedQueriesAndKeys(boolean newNormalize) {
        return new AttentionOptions(
                heads, headWidth, scores, identities, identityMultiplier, newNormalize, outputProjection, biases);
    }

    public AttentionOptions withOutputProjection(boolean newOutputProjection) {
        return new AttentionOptions(
                heads,
                headWidth,
                scores,
                identities,
                identityMultiplier,
                normalizeQueriesAndKeys,
                newOutputProjection,
                biases);
    }

    public AttentionOptions withBiases(boolean newBiases) {
        return new AttentionOptions(
                heads,
                headWidth,
                scores,
                identities,
                identityMultiplier,
                normalizeQueriesAndKeys,
                outputProjection,
                newBiases);
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

    /** What a is multiplied by to add to the inner product of query and key, before scoreScale. */
    public float keyQueryFactor() {
        return identityMultiplier == 0 ? 1 : identityMultiplier / scoreScale();
    }

    /** What b is multiplied by. */
    public float valueOutputFactor() {
        return identityMultiplier == 0 ? 1 : identityMultiplier;
    }

    /** Whether there are queries and keys. */
    public boolean hasScores() {
        return weighting() != Weighting.UNIFORM;
    }

    /** What the kernel is given in a model of {@code modelWidth} columns. */
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
