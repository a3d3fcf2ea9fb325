package org.lemmata.kernel.attention.rounded;

import org.jspecify.annotations.Nullable;
import org.lemmata.number.Rounding;

/**
 * Where {@link RoundedAttention} and {@link ScalarRoundedAttention} round, and how; null leaves a site in binary32, to
 * nearest even.
 *
 * <p>Every tensor is computed in binary32 and then rounded once. Inputs and output gradients come as they are: whoever
 * made them has rounded them.
 *
 * <p>The backward pass makes scores and weights u_ij anew, rounded as in the forward pass, and goes straight through
 * their rounding.
 *
 * @param scores each score s_ij, scale and bias included
 * @param exponentials each weight u_ij, exponential or not, before any is summed
 * @param sums every product and every addition of the running sums, in ascending order, product and addition
 *     separately, each as if exact: inner products, the sum of weights, weighted sums, the terms of a_h and b_h, all
 *     sums of the backward pass. Null: fused multiply-adds in the same order
 * @param outputs each output, the quotient of the two sums; each identity output, the sum over heads
 * @param gradients of the backward pass each ds_ij and each dq, dk, dv; what is added to other gradients is not rounded
 *     before
 */
public record AttentionRounding(
        @Nullable Rounding scores,
        @Nullable Rounding exponentials,
        @Nullable Rounding sums,
        @Nullable Rounding outputs,
        @Nullable Rounding gradients) {

    /** No site rounded. */
    public static AttentionRounding none() {
        return new AttentionRounding(null, null, null, null, null);
    }

    /** Every tensor rounded, sums in binary32: what matrix units that accumulate in binary32 do. */
    public static AttentionRounding tensors(Rounding rounding) {
        return new AttentionRounding(rounding, rounding, null, rounding, rounding);
    }

    /** Every tensor and every step of every sum rounded. */
    public static AttentionRounding everything(Rounding rounding) {
        return new AttentionRounding(rounding, rounding, rounding, rounding, rounding);
    }
}
