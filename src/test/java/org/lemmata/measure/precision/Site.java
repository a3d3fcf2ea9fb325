package org.lemmata.measure.precision;

import java.util.EnumSet;
import java.util.Set;

/** What is rounded of a head on the way to its weights. */
public enum Site {
    /** Queries and keys, once. */
    INPUTS,
    /** Scores, once. */
    SCORES,
    /** exp(s_ij - max_l s_il), once. */
    EXPONENTIALS,
    /** Every product and every addition of the inner product of query and key, in ascending order. */
    SUMS;

    /** All that rounded tensors round. */
    public static Set<Site> tensors() {
        return EnumSet.of(INPUTS, SCORES, EXPONENTIALS);
    }
}
