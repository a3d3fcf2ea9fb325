package org.lemmata.kernel.attention;

import org.lemmata.index.RaggedOffsets;

/**
 * Multi-head attention over ragged sequences: o_i^h = sum_j w_ij^h v_j^h with w_ij = u_ij / sum_j u_ij, for each query
 * i, each head h, and the positions j that i sees. The weights u are computed from scores.
 *
 * <h2>Scores</h2>
 *
 * <p>s_ij = scale (&lt;q_i^h, k_j^h&gt; + a_h &lt;x_i, x_j&gt;) + phi_h(i - j), and the final score is f_i s_ij.
 * {@link AttentionShape#logLength()} selects the factor f_i: 1, ln n_i or ln |x|, where |x| is the length of the
 * sequence and n_i the number of positions that query i sees. With {@link AttentionShape.Mask#CAUSAL} a query sees its
 * own position and all earlier positions (n_i = i + 1, counting from 0), otherwise all positions (n_i = |x|).
 *
 * <ul>
 *   <li>a_h &lt;x_i, x_j&gt; is present if {@link AttentionShape#identityWidth()} is above 0. It has the effect of
 *       adding a_h I to the product of the query and key matrices; x is the input of the layer. Source: Boix-Adsera et
 *       al. (2024), observation 1.2.
 *   <li>phi_h(d) is a table for the distances d = 0 ... {@link AttentionShape#biasSpan()} - 1, and 0 for all other
 *       distances, including the negative distances that occur without a mask. It is the translation-invariant,
 *       tau-local phi of Izzo, Nichani and Lee (2025), section 3.1, with tau = biasSpan - 1.
 *   <li>In that section the factor is ln |x| ({@link AttentionShape.LogLength#SEQUENCE}). At the last position of x, ln
 *       n_i equals ln |x|. Under a causal mask, ln n_i does not depend on later tokens, and the first row has n_0 = 1,
 *       f_0 = 0 and a single weight, 1.
 * </ul>
 *
 * <p>QK normalization is not an option here: the kernel that normalizes rows processes queries and keys first, as
 * matrices of (total * heads) rows of headWidth columns. Their gradients pass back through that kernel.
 *
 * <h2>Weights</h2>
 *
 * <p>Let m_i be the maximum s_ij of row i. The weights of {@link AttentionShape.Weighting} are
 *
 * <pre>
 * SOFTMAX      u_ij = exp(f_i (s_ij - m_i))
 * UNIFORM      u_ij = 1
 * HARDMAX      u_ij = 1 if s_ij = m_i, else 0
 * THRESHOLDED  u_ij = exp(f_i (s_ij - m_i)) if log2(e) f_i (m_i - s_ij) &lt; p, else 0
 * </pre>
 *
 * <p>The threshold zeroes weights of at most 2^-p, by comparing m_i - s_ij with {@link AttentionShape#cutoff}. For
 * example, with n_i = 16, the factor ln n_i and p = 8, a score 2 below the maximum would have the weight 2^-8, so its
 * weight is 0. The remaining weights are divided by their sum, without another threshold. So, with a logarithm,
 * thresholded weights equal hardmax weights once n_i (or |x|) reaches 2^(p / g), where g is the gap between the maximum
 * score and the next one. Source: Izzo, Nichani and Lee (2025), section 3.2.
 *
 * <p>The division by the sum of weights comes last, so that uniform attention over values with exact sums has only one
 * rounding error. The sum may overflow where the average would not. {@link VectorAttention} divides the weights first
 * if it processes the heads of a short sequence together.
 *
 * <h2>Identity outputs</h2>
 *
 * <p>With identity terms there is a second output z_i = sum_h b_h sum_j w_ij^h x_j. Adding it to the layer's output has
 * the effect of adding b_h I to the product of the output and value matrices. Source: Boix-Adsera et al. (2024),
 * theorem 5.2.
 *
 * <h2>Gradients</h2>
 *
 * <p>Let do and dz be the gradients of outputs and identity outputs. Sums run over all pairs in which i sees j:
 *
 * <pre>
 * dw_ij = &lt;do_i, v_j&gt; + b_h &lt;dz_i, x_j&gt;         ds_ij = f_i w_ij (dw_ij - sum_l w_il dw_il)
 * dq_i = scale sum_j ds_ij k_j                dk_j = scale sum_i ds_ij q_i
 * dv_j = sum_i w_ij do_i                      dphi_h(d) = sum_{i - j = d} ds_ij
 * da_h = scale sum_ij ds_ij &lt;x_i, x_j&gt;       db_h = sum_ij w_ij &lt;dz_i, x_j&gt;
 * dx_i = sum_h (scale a_h sum_j (ds_ij + ds_ji) x_j + b_h sum_j w_ji dz_j)
 * </pre>
 *
 * <p>Weights of hardmax and weights zeroed by the threshold are constants, so their ds_ij is 0. For thresholded
 * softmax, this follows from the formula, because w_ij is 0. Uniform weights have no scores.
 *
 * <h2>Guarantees</h2>
 *
 * <p>Under a causal mask, the outputs, identity outputs and saved values of row i depend only on tokens up to i of its
 * sequence (with ln |x| also on the length). Their bits are the same for any later tokens, even NaN. The same holds for
 * dq_i. The bits of dk_j and dv_j do not depend on the queries and output gradients before j, as long as these are
 * finite. Results have the same bits on every call, for every number of threads, and whether or not values are saved.
 * Memory is linear in the length.
 *
 * <p>Without identity terms, the backward pass of {@link VectorAttention} recomputes softmax weights from the saved L_i
 * = ln sum_j exp(f_i s_ij), which is rounded to binary32. Each weight of the row then has a relative error of up to
 * |L_i| 2^-24. For scores of 10^5, the weights therefore do not sum to 1: their sum can be off by 0.6%. The forward
 * pass does not have this error.
 *
 * <p>A NaN score makes the outputs of its row and head NaN. In softmax and thresholded softmax a score of -infinity has
 * weight 0; a row of only -infinity, or with a +infinity, gives NaN. Hardmax only compares scores: infinite scores are
 * treated like finite scores, and a row of only -infinity is a tie. A weight of 0 times an infinite value is NaN, as in
 * IEEE 754.
 */
public interface Attention {

    /**
     * Computes the outputs of all sequences and heads, with identity terms also the identity outputs, and the saved
     * values whose arrays are not empty. No array may be both written and read.
     *
     * @throws IllegalArgumentException if an array that the shape needs is too short; queries, keys, a and phi are
     *     ignored for uniform weights
     */
    void forward(AttentionOutputs outputs, AttentionInputs inputs, RaggedOffsets sequences, AttentionShape shape);

    /**
     * Computes the gradients of all inputs. The gradients of queries, keys and values are overwritten (for uniform
     * weights only the gradients of values). The gradients of tokens, a, b and phi are added to their arrays, because
     * tokens and parameters also get gradients from elsewhere. No array may be both written and read.
     *
     * @param dOutputs gradients of outputs and identity outputs; its saved values are ignored
     * @param outputs the values that {@link #forward} of the same class wrote, with all saved values
     * @throws IllegalArgumentException if an array that the shape needs is too short
     */
    void backward(
            AttentionInputs dInputs,
            AttentionOutputs dOutputs,
            AttentionOutputs outputs,
            AttentionInputs inputs,
            RaggedOffsets sequences,
            AttentionShape shape);

    static void checkForward(
            AttentionOutputs outputs, AttentionInputs inputs, RaggedOffsets sequences, AttentionShape shape) {
        outputs.check("", sequences, shape);
        outputs.checkSaved(sequences, shape, true);
        inputs.check("", sequences.total(), sequences.total(), shape);
    }

    static void checkBackward(
            AttentionInputs dInputs,
            AttentionOutputs dOutputs,
            AttentionOutputs outputs,
            AttentionInputs inputs,
            RaggedOffsets sequences,
            AttentionShape shape) {
        dInputs.check("dInputs.", sequences.total(), sequences.total(), shape);
        dOutputs.check("dOutputs.", sequences, shape);
        outputs.check("", sequences, shape);
        outputs.checkSaved(sequences, shape, false);
        inputs.check("", sequences.total(), sequences.total(), shape);
    }
}
