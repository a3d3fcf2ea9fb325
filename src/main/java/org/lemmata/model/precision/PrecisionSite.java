package org.lemmata.model.precision;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.lemmata.argument.Refuse;

/**
 * A place where a transformer rounds: a family of tensors, or the steps of its sums.
 *
 * <p>A tensor is rounded when it is complete, and again after dropout. In formats with shared scales, a sum of two
 * tensors is rounded to binary32 first.
 */
public enum PrecisionSite {
    /** The copy of the parameters that a pass reads; training keeps the originals. Blocks run along rows. */
    WEIGHTS(0, "weights"),
    /** The parameters themselves, at the start of training and after each step; frozen parameters are not rounded. */
    MASTER_WEIGHTS(1, "master-weights"),
    /** The exact sum of token and position embedding, rounded once. */
    EMBEDDINGS(2, "embeddings"),
    /** The output of every normalization, including QK normalization. */
    NORMS(3, "norms"),
    /** Queries, keys and values, after their map and again after a normalization. */
    QUERIES_KEYS_VALUES(4, "queries-keys-values"),
    /** Each score of attention, including scale and bias, but not the logarithm of a length. */
    SCORES(5, "scores"),
    /** Each weight of attention before its division by the sum of weights. */
    EXPONENTIALS(6, "exponentials"),
    /**
     * Every product and every addition of matrix products, of attention and, in a forward pass, of normalizations.
     * Terms are added in ascending order of their indices.
     */
    SUMS(7, "sums"),
    /** Each head's output (the weighted sum over the sum of weights), and the sum of the heads' identity terms. */
    OUTPUTS(8, "outputs"),
    /** y, the output of a part of a layer, and the exact sum x + y, rounded once. */
    RESIDUAL(9, "residual"),
    /** In the feed-forward: the outputs of the first map, of the activation and of the second map. */
    FEED_FORWARD(10, "feed-forward"),
    /** The logits, or the outputs of regression. */
    LOGITS(11, "logits"),
    /** In training: each complete gradient of an activation or of a parameter. */
    GRADIENTS(12, "gradients"),
    /** In training: the moments of the optimizer after each step. */
    OPTIMIZER_STATE(13, "optimizer-state");

    private final int number;
    private final String label;

    PrecisionSite(int number, String label) {
        this.number = number;
        this.label = label;
    }

    /** A number below 16 that separates the random words of this site from those of other sites. */
    int number() {
        return number;
    }

    public String label() {
        return label;
    }

    /**
     * The site with a label.
     *
     * @throws IllegalArgumentException if no site has this label
     */
    public static PrecisionSite parse(String label) {
        return Arrays.stream(values())
                .filter(site -> site.label.equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("site: expected one of "
                        + Arrays.stream(values()).map(PrecisionSite::label).collect(Collectors.joining(", "))
                        + ", got " + Refuse.quoted(label)));
    }

    /** Whether elements are rounded separately at this site, so that they cannot share a scale. */
    public boolean isElementwise() {
        return this == SCORES || this == EXPONENTIALS || this == SUMS;
    }

    /** Whether a forward pass has this site; the other sites belong to training. */
    public boolean isOfInference() {
        return this != MASTER_WEIGHTS && this != GRADIENTS && this != OPTIMIZER_STATE;
    }
}
