package org.lemmata.kernel.attention;

import org.jspecify.annotations.Nullable;
import org.lemmata.number.Rounding;

/**
 * Where {@link RoundedAttention} rounds, and how; null leaves a site in binary32, to nearest even.
 *
 * <p>Queries, keys and values come as they are: whoever made them has rounded them.
 *
 * @param scores each score s_ij, once, as the product of the scale and the inner product
 * @param exponentials each weight u_ij, exponential or not, before any is summed
 * @param sums every product and every addition of the running sums: inner products of scores, the sum of weights,
 *     weighted sums of values
 * @param outputs each output, once, as the quotient of the two sums
 */
public record AttentionRounding(
        @Nullable Rounding scores,
        @Nullable Rounding exponentials,
        @Nullable Rounding sums,
        @Nullable Rounding outputs) {

    /** No site rounded: the bits of {@link ScalarAttention}. */
    public static AttentionRounding none() {
        return new AttentionRounding(null, null, null, null);
    }

    /** Every tensor rounded, sums in binary32: what matrix units that accumulate in binary32 do. */
    public static AttentionRounding tensors(Rounding rounding) {
        return new AttentionRounding(rounding, rounding, null, rounding);
    }

    /** Every tensor and every step of every sum rounded. */
    public static AttentionRounding everything(Rounding rounding) {
        return new AttentionRounding(rounding, rounding, rounding, rounding);
    }
}
