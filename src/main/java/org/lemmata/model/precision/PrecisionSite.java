package org.lemmata.model.precision;

import java.util.Arrays;
import java.util.Locale;
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
    WEIGHTS(0),
    /** The parameters themselves, at the start of training and after each step; frozen parameters are not rounded. */
    MASTER_WEIGHTS(1),
    /** The exact sum of token and position embedding, rounded once. */
    EMBEDDINGS(2),
    /** The output of every normalization, including QK normalization. */
    NORMS(3),
    /** Queries, keys and values, after their map and again after a normalization. */
    QUERIES_KEYS_VALUES(4),
    /** Each score of attention, including scale and bias, but not the logarithm of a length. */
    SCORES(5),
    /** Each weight of attention before its division by the sum of weights. */
    EXPONENTIALS(6),
    /**
     * Every product and every addition of matrix products, of attention and, in a forward pass, of normalizations.
     * Terms are added in ascending order of their indices.
     */
    SUMS(7),
    /** Each head's output (the weighted sum over the sum of weights), and the sum of the heads' identity terms. */
    OUTPUTS(8),
    /** y, the output of a part of a layer, and the exact sum x + y, rounded once. */
    RESIDUAL(9),
    /** In the feed-forward: the outputs of the first map, of the activation and of the second map. */
    FEED_FORWARD(10),
    /** The logits, or the outputs of regression. */
    LOGITS(11),
    /** In training: each complete gradient of an activation or of a parameter. */
    GRADIENTS(12),
    /** In training: the moments of the optimizer after each step. */
    OPTIMIZER_STATE(13);

    private final int number;

    PrecisionSite(int number) {
        this.number = number;
    }

    /** A number below 16 that separates the random words of this site from those of other sites. */
    int number() {
        return number;
    }

    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * The site with a label.
     *
     * @throws IllegalArgumentException if no site has this label
     */
    public static PrecisionSite parse(String label) {
        return Arrays.stream(values())
                .filter(site -> site.label().equals(label))
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
