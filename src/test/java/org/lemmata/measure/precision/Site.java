package org.lemmata.measure.precision;

import java.util.EnumSet;
import java.util.Set;

/** The rounding sites between a head's inputs and its weights. */
public enum Site {
    /** Queries and keys, once. */
    INPUTS,
    /** Scores, once. */
    SCORES,
    /** exp(s_ij - max_l s_il), once. */
    EXPONENTIALS,
    /** Every product and every addition of the inner product of query and key, in ascending order. */
    SUMS;

    /** All sites of rounded tensors. */
    public static Set<Site> tensors() {
        return EnumSet.of(INPUTS, SCORES, EXPONENTIALS);
    }
}
