package org.lemmata.kernel.attention;

import org.lemmata.index.RaggedOffsets;

/**
 * o_i^h = sum_j w_ij^h v_j^h with w_ij = u_ij / sum_j u_ij, for each query i of a sequence, each head h, and the
 * positions j that i sees; the weights u are made of scores.
 *
 * <h2>Scores</h2>
 *
 * <p>s_ij = scale (&lt;q_i^h, k_j^h&gt; + a_h &lt;x_i, x_j&gt;) + phi_h(i - j), and the final score is f_i s_ij: f_i is
 * 1, ln n_i or ln |x| as {@link AttentionShape#logLength()} says, where n_i is the number of positions that query i
 * sees: its own and those before it ({@link AttentionShape.Mask#CAUSAL}, n_i = i + 1 counting from 0), or all (n_i =
 * |x|), and |x| the length of the sequence.
 *
 * <ul>
 *   <li>a_h &lt;x_i, x_j&gt; is there with {@link AttentionShape#identityWidth()} above 0: it is what adding a_h I to
 *       the product of the query and the key matrix does, x being the input of the layer. Source: Boix-Adsera et al.
 *       (2024), observation 1.2.
 *   <li>phi_h(d) is a table for the distances d = 0 ... {@link AttentionShape#biasSpan()} - 1, and 0 for all others,
 *       the negative ones included, which only attention without mask has. It is the translation-invariant, tau-local
 *       phi of Izzo, Nichani and Lee (2025), section 3.1, with tau = biasSpan - 1.
 *   <li>ln |x| ({@link AttentionShape.LogLength#SEQUENCE}) is that section's; ln n_i is the same for the last position
 *       of x, and causal for the others. The first row has n_0 = 1 under a causal mask, f_0 = 0 and one weight, 1.
 * </ul>
 *
 * <p>Normalized queries and keys (QK normalization) are no option here: the rows of queries, seen as a matrix of (total
 * * heads) rows of headWidth columns, are normalized before they come, by the kernel that normalizes rows, and their
 * gradients go back through it.
 *
 * <h2>Weights</h2>
 *
 * <p>With m_i the maximum s_ij of row i, {@link AttentionShape.Weighting} makes
 *
 * <pre>
 * SOFTMAX      u_ij = exp(f_i (s_ij - m_i))
 * UNIFORM      u_ij = 1
 * HARDMAX      u_ij = 1 if s_ij = m_i, else 0
 * THRESHOLDED  u_ij = exp(f_i (s_ij - m_i)) if log2(e) f_i (m_i - s_ij) &lt; p, else 0
 * </pre>
 *
 * <p>The threshold, which zeroes what would be at most 2^-p, is compared in the exponent, exactly for the s_ij of
 * binary32: of n_i = 16 positions under ln n_i, one whose score is 2 below the maximum would weigh 2^-8, and weighs
 * nothing for p = 8. What remains is divided by its sum and not rounded to 0 again. So, with a logarithm, thresholded
 * weights are those of hardmax from n_i, or |x|, = 2^(p / g) on, with g the minimum distance of another score to the
 * maximum. Source: Izzo, Nichani and Lee (2025), section 3.2.
 *
 * <p>The division by the sum of weights comes last, so that uniform attention over values whose sums are exact is exact
 * but for one rounding. The sum may overflow where the average would not. {@link VectorAttention} divides weights first
 * where it takes the heads of a short sequence together.
 *
 * <h2>Identity outputs</h2>
 *
 * <p>With identity terms there is also z_i = sum_h b_h sum_j w_ij^h x_j: what adding b_h I to the product of the output
 * and the value matrix adds to the output of the layer. Source: Boix-Adsera et al. (2024), theorem 5.2.
 *
 * <h2>Gradients</h2>
 *
 * <p>With do, dz the gradients of outputs and identity outputs, and sums over all pairs in which i sees j:
 *
 * <pre>
 * dw_ij = &lt;do_i, v_j&gt; + b_h &lt;dz_i, x_j&gt;         ds_ij = f_i w_ij (dw_ij - sum_l w_il dw_il)
 * dq_i = scale sum_j ds_ij k_j                dk_j = scale sum_i ds_ij q_i
 * dv_j = sum_i w_ij do_i                      dphi_h(d) = sum_{i - j = d} ds_ij
 * da_h = scale sum_ij ds_ij &lt;x_i, x_j&gt;       db_h = sum_ij w_ij &lt;dz_i, x_j&gt;
 * dx_i = sum_h (scale a_h sum_j (ds_ij + ds_ji) x_j + b_h sum_j w_ji dz_j)
 * </pre>
 *
 * <p>Weights of hardmax, and weights that the threshold zeroes, are constants: ds_ij is 0 for all of hardmax, and for
 * thresholded softmax the formula gives it, w_ij being 0. Uniform weights have no scores.
 *
 * <h2>Guarantees</h2>
 *
 * <p>Under a causal mask, outputs, identity outputs and saved values of row i are functions of tokens up to i of its
 * sequence only (with ln |x|, of how many come later, too): whatever a later one is, also NaN, they have the same bits.
 * So has dq_i, and so have dk_j and dv_j whatever the queries and output gradients before j are, as long as numbers are
 * finite. The same bits come on every call, whether or not values are saved, and for every number of threads; memory is
 * linear in the length.
 *
 * <p>A score of NaN gives outputs of NaN in its row and head. Softmax and thresholded softmax: a score of -infinity has
 * weight 0; a row of -infinity alone, and a row with +infinity, give NaN. Hardmax only compares: an infinite score is
 * like any other, so that a row of -infinity alone is a tie. A weight of 0 times a value of infinity is NaN, as in IEEE
 * 754.
 */
public interface Attention {

    /**
     * Computes outputs, identity outputs where there are identity terms, and the saved values whose arrays are not
     * empty, of all sequences and heads. No array written may be one that is read.
     *
     * @throws IllegalArgumentException if an array that the shape needs is too short; queries, keys, a and phi are not
     *     looked at for uniform weights
     */
    void forward(AttentionOutputs outputs, AttentionInputs inputs, RaggedOffsets sequences, AttentionShape shape);

    /**
     * Computes the gradients of all inputs. Those of queries, keys and values are overwritten (the first two not looked
     * at for uniform weights); those of tokens, a, b and phi are added to what their arrays hold, since tokens have
     * gradients from elsewhere, and parameters from other batches. No array written may be one that is read.
     *
     * @param dOutputs gradients of outputs and identity outputs; its saved values are not looked at
     * @param outputs what {@link #forward} of the same class wrote, with all that it saves
     * @throws IllegalArgumentException if an array that the shape needs is too short
     */
    void backward(
            AttentionInputs dInputs,
            AttentionOutputs dOutputs,
            AttentionOutputs outputs,
            AttentionInputs inputs,
            RaggedOffsets sequences,
            AttentionShape shape);

    /** The argument check that every implementation makes first. */
    static void checkForward(
            AttentionOutputs outputs, AttentionInputs inputs, RaggedOffsets sequences, AttentionShape shape) {
        outputs.check("", sequences, shape);
        outputs.checkSaved(sequences, shape, true);
        inputs.check("", sequences, shape);
    }

    /** The argument check that every implementation makes first. */
    static void checkBackward(
            AttentionInputs dInputs,
            AttentionOutputs dOutputs,
            AttentionOutputs outputs,
            AttentionInputs inputs,
            RaggedOffsets sequences,
            AttentionShape shape) {
        dInputs.check("dInputs.", sequences, shape);
        dOutputs.check("dOutputs.", sequences, shape);
        outputs.check("", sequences, shape);
        outputs.checkSaved(sequences, shape, false);
        inputs.check("", sequences, shape);
    }
}
