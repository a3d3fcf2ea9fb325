package org.lemmata.kernel.attention;

import org.lemmata.index.RaggedOffsets;

/**
 * o_i = (sum_{j &lt;= i} u_ij v_j) / (sum_{j &lt;= i} u_ij), with u_i the weights that {@link AttentionShape.Weighting}
 * makes of the scores s_ij = scale &lt;q_i, k_j&gt;, within each sequence and head.
 *
 * <p>The division comes last, so that uniform attention over values whose sums are exact is exact but for one rounding.
 * The sum may overflow where the average would not.
 *
 * <p>Outputs, queries, keys and values are {@code sequences.total()} rows of {@link AttentionShape#width()} columns
 * from element 0 on, without padding. The outputs must not overlap an input. Output i is a function of tokens up to i
 * of its sequence only: whatever a later one is, also NaN, it has the same bits.
 *
 * <p>A score of NaN gives outputs of NaN. Softmax: a score of -infinity has weight 0; a row of -infinity alone, and a
 * row with +infinity, give NaN. Hardmax only compares: an infinite score is like any other, so that a row of -infinity
 * alone is a tie. A weight of 0 times a value of infinity is NaN, as in IEEE 754.
 */
public sealed interface Attention permits RoundedAttention, ScalarAttention, VectorAttention {

    /**
     * Computes the outputs of all sequences and heads.
     *
     * @throws IllegalArgumentException if an array is too short; queries and keys are not looked at for uniform weights
     */
    void forward(
            float[] outputs,
            float[] queries,
            float[] keys,
            float[] values,
            RaggedOffsets sequences,
            AttentionShape shape);
}
