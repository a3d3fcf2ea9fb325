package org.lemmata.model.precision;

/**
 * A tensor of a pass that is rounded separately. It has a site, for most tensors the one at which the forward pass
 * rounds it, and a number below 32 that separates its random words from the words of other tensors.
 */
public enum PassTensor {
    EMBEDDED(0, PrecisionSite.EMBEDDINGS),
    DROPPED_EMBEDDED(1, PrecisionSite.EMBEDDINGS),
    /** norm(x) before attention, or norm(x + y) after it. */
    ATTENTION_NORM(2, PrecisionSite.NORMS),
    QUERIES(3, PrecisionSite.QUERIES_KEYS_VALUES),
    KEYS(4, PrecisionSite.QUERIES_KEYS_VALUES),
    VALUES(5, PrecisionSite.QUERIES_KEYS_VALUES),
    QUERY_NORM(6, PrecisionSite.NORMS),
    KEY_NORM(7, PrecisionSite.NORMS),
    NORMED_QUERIES(8, PrecisionSite.QUERIES_KEYS_VALUES),
    NORMED_KEYS(9, PrecisionSite.QUERIES_KEYS_VALUES),
    /** The outputs of the heads. */
    HEADS(10, PrecisionSite.OUTPUTS),
    /** The sum of the heads' identity terms. */
    IDENTITY_HEADS(11, PrecisionSite.OUTPUTS),
    /** y of attention, without identity terms. */
    ATTENTION(12, PrecisionSite.RESIDUAL),
    ATTENTION_WITH_IDENTITIES(13, PrecisionSite.RESIDUAL),
    DROPPED_ATTENTION(14, PrecisionSite.RESIDUAL),
    ATTENTION_SUM(15, PrecisionSite.RESIDUAL),
    FEED_FORWARD_NORM(16, PrecisionSite.NORMS),
    /** x W1 + b1. */
    HIDDEN(17, PrecisionSite.FEED_FORWARD),
    INNER_NORM(18, PrecisionSite.NORMS),
    ACTIVE(19, PrecisionSite.FEED_FORWARD),
    /** The output of the second map. */
    SECOND(20, PrecisionSite.FEED_FORWARD),
    /** y of the feed-forward. */
    FEED_FORWARD(21, PrecisionSite.RESIDUAL),
    DROPPED_FEED_FORWARD(22, PrecisionSite.RESIDUAL),
    FEED_FORWARD_SUM(23, PrecisionSite.RESIDUAL),
    FINAL_NORM(24, PrecisionSite.NORMS),
    LOGITS(25, PrecisionSite.LOGITS),
    /** x as attention reads it. Only the gradients of this and the following tensors are rounded. */
    ATTENTION_INPUT(26, PrecisionSite.RESIDUAL),
    /** x as both attention and the residual connection read it. */
    ATTENTION_INPUT_SUM(27, PrecisionSite.RESIDUAL),
    FEED_FORWARD_INPUT(28, PrecisionSite.RESIDUAL),
    FEED_FORWARD_INPUT_SUM(29, PrecisionSite.RESIDUAL),
    /** The rows of x whose outputs are computed. */
    GATHERED(30, PrecisionSite.RESIDUAL);

    private final int number;
    private final PrecisionSite site;

    PassTensor(int number, PrecisionSite site) {
        this.number = number;
        this.site = site;
    }

    public int number() {
        return number;
    }

    public PrecisionSite site() {
        return site;
    }
}
