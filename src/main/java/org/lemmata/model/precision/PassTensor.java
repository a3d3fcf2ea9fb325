package org.lemmata.model.precision;

/**
 * A tensor of a pass that is rounded by itself, with the site at which the forward pass rounds it, and a number below
 * 32 that tells its random words from those of others.
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
    /** What the heads give. */
    HEADS(10, PrecisionSite.OUTPUTS),
    /** What the identity terms of the heads give. */
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
    /** What the second map gives. */
    SECOND(20, PrecisionSite.FEED_FORWARD),
    /** The same as y. */
    FEED_FORWARD(21, PrecisionSite.RESIDUAL),
    DROPPED_FEED_FORWARD(22, PrecisionSite.RESIDUAL),
    FEED_FORWARD_SUM(23, PrecisionSite.RESIDUAL),
    FINAL_NORM(24, PrecisionSite.NORMS),
    LOGITS(25, PrecisionSite.LOGITS),
    /** x by way of attention; of this and what follows only gradients are rounded. */
    ATTENTION_INPUT(26, PrecisionSite.RESIDUAL),
    /** x by all ways. */
    ATTENTION_INPUT_SUM(27, PrecisionSite.RESIDUAL),
    FEED_FORWARD_INPUT(28, PrecisionSite.RESIDUAL),
    FEED_FORWARD_INPUT_SUM(29, PrecisionSite.RESIDUAL),
    /** The rows of x that outputs are made of. */
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
