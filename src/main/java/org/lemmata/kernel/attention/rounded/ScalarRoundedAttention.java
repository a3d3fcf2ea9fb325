package org.lemmata.kernel.attention.rounded;

import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.Attention;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.elementary.ScalarExp;
import org.lemmata.random.RandomStream;

/**
 * The reference of attention with each site of an {@link AttentionRounding} rounded to its own number format.
 *
 * <p>Every sum starts at +0 and runs in ascending order (of column in an inner product, of position elsewhere), columns
 * of tokens behind those of the head: fused multiply-adds in binary32 or, where the site {@code sums} is set, products
 * and sums that are each rounded as if exact. Then, in binary32 and rounded once:
 *
 * <pre>
 * s_ij = scale * sum + bias                      m_i = the largest rounded score
 * u_ij = exp(f_i * (s_ij - m_i)), 1 or 0         by the exponential of {@link ScalarExp}: 0 below 2^-126
 * o_i  = sum_j u_ij v_j / sum_j u_ij             see {@link Quotient}: deterministic modes round the exact quotient
 * z_i  = sum_h b_h (sum_j u_ij x_j / sum_j u_ij) the quotients in binary32
 * w_ij = u_ij / sum_j u_ij                       dw_ij = the sum, then mean_i = sum_j w_ij dw_ij
 * ds_ij = f_i * (w_ij * (dw_ij - mean_i))        dq_i = scale * sum_j ds_ij k_j, and so on
 * </pre>
 *
 * <p>Uniform weights are 1 and rounded too, and the sum of weights is a running sum of them. The saved values are those
 * of binary32, and the backward pass does not read them: it makes the weights anew, rounded as in the forward pass.
 *
 * <p>Stochastic sites take the words of a {@link RandomStream} that {@link RoundingStreams} names.
 */
public final class ScalarRoundedAttention implements Attention {

    private final AttentionRounding rounding;
    private final RandomStream stream;

    public ScalarRoundedAttention(AttentionRounding rounding, RandomStream stream) {
        this.rounding = rounding;
        this.stream = stream;
    }

    @Override
    public void forward(
            AttentionOutputs outputs, AttentionInputs inputs, RaggedOffsets sequences, AttentionShape shape) {
        Attention.checkForward(outputs, inputs, sequences, shape);
        new ScalarRoundedForward(rounding, stream, inputs, sequences, shape).run(outputs);
    }

    @Override
    public void backward(
            AttentionInputs dInputs,
            AttentionOutputs dOutputs,
            AttentionOutputs outputs,
            AttentionInputs inputs,
            RaggedOffsets sequences,
            AttentionShape shape) {
        Attention.checkBackward(dInputs, dOutputs, outputs, inputs, sequences, shape);
        new ScalarRoundedBackward(rounding, stream, dOutputs, inputs, sequences, shape).addInto(dInputs);
    }
}
