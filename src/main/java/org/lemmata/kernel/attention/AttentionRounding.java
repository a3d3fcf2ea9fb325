package org.lemmata.kernel.attention;

import org.jspecify.annotations.Nullable;
import org.lemmata.number.Rounding;

/**
 * Where {@link RoundedAttention} rounds, and how; null leaves a site in binary32, to nearest even.
 *
 * <p>Inputs and output gradients come as they are: whoever made them has rounded them.
 *
 * @param scores each score s_ij, once as the product of the scale and the inner product, and again as its sum with the
 *     bias where it has one; backward also each dw_ij, and each ds_ij as the product with ln n_i or 1
 * @param exponentials each weight u_ij, exponential or not, before any is summed; backward also w_ij, once, as the
 *     quotient of weight and sum
 * @param sums every product and every addition of the running sums: inner products, the sum of weights, weighted sums,
 *     the terms of a_h and b_h, all sums of the backward pass
 * @param outputs each output, once, as the quotient of the two sums; of identity outputs the quotient of each head, and
 *     the sum over heads; backward each dq, dk, dv, once, as the product of scale and sum, and each other gradient once
 *     more where it is added to what its array holds
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
