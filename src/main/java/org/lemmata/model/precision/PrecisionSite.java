package org.lemmata.model.precision;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.lemmata.argument.Refuse;

/**
 * Where a transformer rounds: a family of tensors, or the steps of its sums.
 *
 * <p>A tensor is rounded once it is complete, and what dropout makes of it is rounded again.
 */
public enum PrecisionSite {
    /** The copy of the parameters that passes read, each matrix along its rows; training keeps the parameters. */
    WEIGHTS(0, "weights"),
    /** The parameters themselves, at the start of training and after each step; those that are frozen stay. */
    MASTER_WEIGHTS(1, "master-weights"),
    /** The sum of token and position embedding, once, as if it were exact. */
    EMBEDDINGS(2, "embeddings"),
    /** The output of every normalization, that of queries and keys included. */
    NORMS(3, "norms"),
    /** Queries, keys and values, after their map and again after a normalization. */
    QUERIES_KEYS_VALUES(4, "queries-keys-values"),
    /** Each score of attention, scale and bias included. */
    SCORES(5, "scores"),
    /** Each weight of attention before it is divided by their sum. */
    EXPONENTIALS(6, "exponentials"),
    /** Every product and every addition of matrix products, of normalizations and of attention, in ascending order. */
    SUMS(7, "sums"),
    /** What each head gives, the weighted sum over the sum of weights; of identity terms, too. */
    OUTPUTS(8, "outputs"),
    /** y, what a part of a layer adds to the residual stream, and the sum x + y, once, as if it were exact. */
    RESIDUAL(9, "residual"),
    /** In the feed-forward: what the first map gives, what the activation gives, and what the second map gives. */
    FEED_FORWARD(10, "feed-forward"),
    /** The logits, or the outputs of regression. */
    LOGITS(11, "logits"),
    /** In training: the gradient of each activation and of each parameter once it is complete. */
    GRADIENTS(12, "gradients"),
    /** In training: the moments of the optimizer after each step. */
    OPTIMIZER_STATE(13, "optimizer-state");

    private final int number;
    private final String label;

    PrecisionSite(int number, String label) {
        this.number = number;
        this.label = label;
    }

    /** Below 16: it tells the random words of the site from those of others. */
    int number() {
        return number;
    }

    /** The name in files. */
    public String label() {
        return label;
    }

    /**
     * The site of a label.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static PrecisionSite parse(String label) {
        return Arrays.stream(values())
                .filter(site -> site.label.equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("site: expected one of "
                        + Arrays.stream(values()).map(PrecisionSite::label).collect(Collectors.joining(", "))
                        + ", got " + Refuse.quoted(label)));
    }

    /** Whether numbers are rounded here one by one, so that they can share no scale. */
    public boolean isElementwise() {
        return this == SCORES || this == EXPONENTIALS || this == SUMS;
    }

    /** Whether a forward pass has this site; the others are those of training. */
    public boolean isOfInference() {
        return this != MASTER_WEIGHTS && this != GRADIENTS && this != OPTIMIZER_STATE;
    }
}
