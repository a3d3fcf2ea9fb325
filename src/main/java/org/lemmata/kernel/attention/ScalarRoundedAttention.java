package org.lemmata.kernel.attention;

import org.jspecify.annotations.Nullable;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.elementary.ScalarExp;
import org.lemmata.number.Rounding;
import org.lemmata.random.RandomStream;

/**
 * The scalar reference of attention with each site of an {@link AttentionRounding} rounded to its own number format.
 *
 * <p>Every sum starts at +0 and runs in ascending order: of columns in an inner product (first those of the head, then
 * those of the tokens), otherwise of positions. Sums are fused multiply-adds in binary32. If the site {@code sums} is
 * set, each product and each sum is rounded from its exact value. The following are computed in binary32 and rounded
 * once:
 *
 * <pre>
 * s_ij = scale * sum + bias                      m_i = the largest rounded score
 * u_ij = exp(f_i * (s_ij - m_i)), 1 or 0         by the exponential of {@link ScalarExp}: 0 below 2^-126
 * o_i  = sum_j u_ij v_j / sum_j u_ij             see {@link Quotient}
 * z_i  = sum_h b_h (sum_j u_ij x_j / sum_j u_ij) the quotients in binary32
 * w_ij = u_ij / sum_j u_ij                       mean_i = sum_j w_ij dw_ij, with dw_ij as in {@link Attention}
 * ds_ij = f_i * (w_ij * (dw_ij - mean_i))        dq_i = scale * sum_j ds_ij k_j, and so on
 * </pre>
 *
 * <p>Uniform weights are 1, and are also rounded; their sum is computed like other sums. The saved values are in
 * binary32. The backward pass does not read them, but recomputes the weights, rounded as in the forward pass.
 *
 * <p>{@link RoundingStreams} defines the random words of stochastic sites.
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
        rows(RoundingStreams.SUMS, inputs, sequences, shape).forward(outputs);
        round(rounding.outputs(), outputs.outputs(), RoundingStreams.OUTPUTS, sequences, shape.width());
        int tokenWidth = shape.identityWidth();
        round(rounding.outputs(), outputs.identityOutputs(), RoundingStreams.IDENTITY_OUTPUTS, sequences, tokenWidth);
    }

    @Override
    public void backward(
            AttentionInputs dInputs,
            AttentionOutputs dOutputs,
            AttentionOutputs outputs,
            AttentionInputs inputs,
            RaggedOffsets sequences,
            AttentionShape shape) {
        Rounding gradients = rounding.gradients();
        Attention.checkBackward(dInputs, dOutputs, outputs, inputs, sequences, shape);
        rows(RoundingStreams.GRADIENT_SUMS, inputs, sequences, shape).backward(dInputs, dOutputs);
        if (shape.hasScores()) {
            round(gradients, dInputs.queries(), RoundingStreams.QUERY_GRADIENTS, sequences, shape.width());
            round(gradients, dInputs.keys(), RoundingStreams.KEY_GRADIENTS, sequences, shape.width());
        }
        round(gradients, dInputs.values(), RoundingStreams.VALUE_GRADIENTS, sequences, shape.width());
    }

    private ScalarRows rows(int ofSums, AttentionInputs inputs, RaggedOffsets sequences, AttentionShape shape) {
        return new ScalarRows(
                site(rounding.sums(), ofSums),
                site(rounding.scores(), RoundingStreams.SCORES),
                site(rounding.exponentials(), RoundingStreams.EXPONENTIALS),
                site(rounding.gradients(), RoundingStreams.SCORE_GRADIENTS),
                Quotient.isOdd(rounding.outputs()),
                inputs,
                sequences,
                shape);
    }

    private RoundedSite site(@Nullable Rounding ofSite, int part) {
        return new RoundedSite(ofSite, stream.part(part));
    }

    private void round(@Nullable Rounding ofSite, float[] matrix, int part, RaggedOffsets sequences, int columns) {
        site(ofSite, part).round(matrix, sequences.total(), columns);
    }
}
