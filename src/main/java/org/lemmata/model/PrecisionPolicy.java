package org.lemmata.model;

import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.attention.AttentionRounding;
import org.lemmata.kernel.matmul.MatMulRounding;
import org.lemmata.number.Rounding;

/**
 * Where the forward pass of a {@link Transformer} rounds.
 *
 * @param activations sums of embeddings and residual sums; null leaves them in binary32
 * @param matMul the sites of every matrix product
 * @param attention the sites of attention
 */
public record PrecisionPolicy(@Nullable Rounding activations, MatMulRounding matMul, AttentionRounding attention) {

    /** Every tensor is rounded, sums run in binary32. */
    public static PrecisionPolicy tensors(Rounding rounding) {
        return new PrecisionPolicy(rounding, MatMulRounding.tensors(rounding), AttentionRounding.tensors(rounding));
    }

    /** Every tensor, every product and every addition is rounded. */
    public static PrecisionPolicy everything(Rounding rounding) {
        return new PrecisionPolicy(
                rounding, MatMulRounding.everything(rounding), AttentionRounding.everything(rounding));
    }
}
