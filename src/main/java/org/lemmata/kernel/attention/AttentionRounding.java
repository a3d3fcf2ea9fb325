package org.lemmata.kernel.attention;

import org.jspecify.annotations.Nullable;
import org.lemmata.number.Rounding;

/**
 * The rounding of each site of {@link RoundedAttention} and {@link ScalarRoundedAttention}; null leaves a site in
 * binary32, rounded to nearest even.
 *
 * <p>Every tensor is computed in binary32 and then rounded once. Inputs and gradients of outputs are not rounded here;
 * the operations that computed them may round them.
 *
 * <p>The backward pass recomputes scores and weights u_ij, rounded as in the forward pass, and treats their rounding as
 * the identity (straight-through gradients).
 *
 * @param scores each score s_ij, scale and bias included
 * @param exponentials each weight u_ij, for every weighting, before weights are summed
 * @param sums every product and every addition of all sums, each rounded from the exact result, in ascending order. The
 *     sums are inner products, the sum of weights, weighted sums, the terms of a_h and b_h, and all sums of the
 *     backward pass. If null, sums are fused multiply-adds in the same order
 * @param outputs each output (the quotient of the two sums) and each identity output (the sum over heads)
 * @param gradients each ds_ij, dq, dk and dv of the backward pass; contributions to other gradients are not rounded
 */
public record AttentionRounding(
        @Nullable Rounding scores,
        @Nullable Rounding exponentials,
        @Nullable Rounding sums,
        @Nullable Rounding outputs,
        @Nullable Rounding gradients) {}
