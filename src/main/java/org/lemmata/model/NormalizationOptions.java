package org.lemmata.model;

import org.lemmata.kernel.normalization.Normalization;

/**
 * What normalizes rows, and where.
 *
 * @param placement where in a layer
 * @param kind what normalizes, there and, if the attention says so, queries and keys
 * @param epsilon added to the mean square, from 0 on
 * @param gain whether there are trained factors of the columns
 * @param shift whether there are trained terms of the columns
 * @param ofFinal whether the last norm, which the unembedding reads, has them like the others
 */
public record NormalizationOptions(
        Placement placement, Normalization.Kind kind, float epsilon, boolean gain, boolean shift, boolean ofFinal) {

    /** Where rows are normalized. */
    public enum Placement {
        /** Nowhere. */
        NONE,
        /** What attention and feed-forward read, and what the unembedding reads, as in GPT-2. */
        PRE,
        /** The sum after attention and after the feed-forward, as in Vaswani et al. (2017). */
        POST,
        /** Within the feed-forward, after its first map: FFN-LN of Hayakawa and Sato (2024). */
        INNER
    }

    public NormalizationOptions {
        if (!(epsilon >= 0)) {
            throw new IllegalArgumentException("epsilon: expected a number from 0 on, got " + epsilon);
        }
    }

    /** With factors and terms in the last norm, too. */
    public NormalizationOptions(
            Placement placement, Normalization.Kind kind, float epsilon, boolean gain, boolean shift) {
        this(placement, kind, epsilon, gain, shift, true);
    }

    /** The same with a last norm without factors and terms. */
    public NormalizationOptions withBareFinal() {
        return new NormalizationOptions(placement, kind, epsilon, gain, shift, false);
    }

    public static NormalizationOptions none() {
        return new NormalizationOptions(Placement.NONE, Normalization.Kind.LAYER, 0, false, false);
    }

    /** Layer normalization with gain and shift and an epsilon of 1e-5, as in GPT-2. */
    public static NormalizationOptions layer(Placement placement) {
        return new NormalizationOptions(placement, Normalization.Kind.LAYER, 1e-5f, true, true);
    }
}
