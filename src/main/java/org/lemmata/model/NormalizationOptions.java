package org.lemmata.model;

import org.lemmata.argument.Refuse;
import org.lemmata.kernel.normalization.Normalization;

/**
 * How and where rows are normalized.
 *
 * @param placement where rows are normalized, if at all
 * @param kind the kind of normalization, also for queries and keys if {@link AttentionOptions} normalizes them
 * @param epsilon added to the variance (layer) or the mean square (root mean square), finite and at least 0
 * @param gain whether each column is multiplied by a trained factor
 * @param shift whether a trained term is added to each column
 * @param ofFinal whether the final norm, before the unembedding, also has these factors and terms
 */
public record NormalizationOptions(
        Placement placement, Normalization.Kind kind, float epsilon, boolean gain, boolean shift, boolean ofFinal) {

    /** Where rows are normalized. */
    public enum Placement {
        /** Nowhere. */
        NONE,
        /** The inputs of attention, feed-forward and unembedding, as in GPT-2. */
        PRE,
        /** The sums x + y after attention and after the feed-forward, as in Vaswani et al. (2017). */
        POST,
        /** Within the feed-forward, after its first map: FFN-LN of Hayakawa and Sato (2024). */
        INNER
    }

    public NormalizationOptions {
        Refuse.when(!(epsilon >= 0 && epsilon <= Float.MAX_VALUE), "epsilon", "a finite number from 0 on", epsilon);
    }

    /** Options in which the final norm has factors and terms like the other norms. */
    public NormalizationOptions(
            Placement placement, Normalization.Kind kind, float epsilon, boolean gain, boolean shift) {
        this(placement, kind, epsilon, gain, shift, true);
    }

    /** These options with a final norm without factors and terms. */
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
