package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionOutputs.checkLength;

/**
 * The last row of {@link Attention} alone: o^h = sum_j w_j^h v_j^h over all positions j = 0 ... n - 1 of a cached
 * sequence, for the query of position n - 1, whose own key and value are the last of the cache.
 *
 * <p>Scores, weights, options and the identity output z = sum_h b_h sum_j w_j^h x_j are those that {@link Attention}
 * states for a causal mask and i = n - 1: the number of positions seen is n, the distance to position j is n - 1 - j,
 * and x_i is the last token of the cache. So is what becomes of infinities and NaN.
 *
 * <p>A step costs as much as its context is long, where a forward pass over the whole sequence costs the square of it.
 * It reads each number of the cache once: memory bounds it. It has the bits of the last row of the {@link Attention} of
 * the same kind, scalar or on lanes, for every number of threads and whatever the other sequences are; so generating
 * with a cache gives the tokens that generating without one does.
 */
public sealed interface AttentionStep permits ScalarAttentionStep, VectorAttentionStep {

    /**
     * Computes row r of outputs, and of identity outputs where there are identity terms, for the cached sequence
     * {@code sequences[r]}, r = 0 ... {@code count - 1}. Nothing is saved, and the cache stays as it is.
     *
     * @param outputs of {@code count} rows; its saved values are not looked at
     * @param inputs queries of {@code count} rows, a, b and phi; keys, values and tokens are those of the cache
     * @param sequences numbers of cached sequences; the same one may stand there twice
     * @throws IllegalArgumentException if a sequence is not in the cache or has no position, or an array that the shape
     *     needs is too short; queries, a and phi are not looked at for uniform weights
     */
    void forward(AttentionOutputs outputs, AttentionInputs inputs, AttentionCache cache, int[] sequences, int count);

    /** Whether {@code step} has the bits of the last row of {@code attention}. */
    static boolean isLastRowOf(Attention attention, AttentionStep step) {
        return switch (step) {
            case ScalarAttentionStep _ -> attention instanceof ScalarAttention;
            case VectorAttentionStep _ -> attention instanceof VectorAttention;
        };
    }

    /** The argument check that every implementation makes first. */
    static void check(
            AttentionOutputs outputs, AttentionInputs inputs, AttentionCache cache, int[] sequences, int count) {
        if (count < 0 || count > sequences.length) {
            throw new IllegalArgumentException("count: expected 0 to " + sequences.length + ", got " + count);
        }
        for (int r = 0; r < count; r++) {
            int sequence = sequences[r];
            if (sequence < 0 || sequence >= cache.sequences() || cache.length(sequence) == 0) {
                throw new IllegalArgumentException("sequences: expected one of " + cache.sequences()
                        + " that has a position, got " + sequence + " for row " + r);
            }
        }
        AttentionShape shape = cache.shape();
        checkLength("", "outputs", outputs.outputs(), (long) count * shape.width());
        checkLength("", "identityOutputs", outputs.identityOutputs(), (long) count * shape.identityWidth());
        boolean identities = shape.identityWidth() > 0;
        checkLength("", "valueOutputIdentities", inputs.valueOutputIdentities(), identities ? shape.heads() : 0);
        if (shape.hasScores()) {
            checkLength("", "queries", inputs.queries(), (long) count * shape.width());
            checkLength("", "keyQueryIdentities", inputs.keyQueryIdentities(), identities ? shape.heads() : 0);
            checkLength("", "scoreBiases", inputs.scoreBiases(), (long) shape.heads() * shape.biasSpan());
        }
    }
}
