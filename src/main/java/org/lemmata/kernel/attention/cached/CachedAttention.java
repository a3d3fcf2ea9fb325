package org.lemmata.kernel.attention.cached;

import static org.lemmata.kernel.attention.AttentionOutputs.checkLength;

import org.lemmata.argument.Refuse;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.Attention;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.ScalarAttention;
import org.lemmata.kernel.attention.VectorAttention;

/**
 * Only the last row of {@link Attention}, for each of several sequences: o^h = sum_j w_j^h v_j^h over all positions j =
 * 0 ... n - 1 of a sequence, for the query of position n - 1.
 *
 * <p>In a step of decoding, keys and values come from a KV cache, whose last position is the position of the query. In
 * the last layer of a model whose answer is at the last position, keys and values are rows of ragged sequences. Queries
 * and outputs have one row per sequence. The cost is linear in the length of the context, while the cost of
 * {@link Attention} is quadratic. Each key and value is read once, so memory bandwidth limits the speed.
 *
 * <p>Scores, weights, options, gradients, the identity output z = sum_h b_h sum_j w_j^h x_j, and the results for
 * infinities and NaN, are as in {@link Attention} for i = n - 1. This query sees all n positions; its distance to
 * position j is n - 1 - j, and x_i is the last token. Identity terms are supported only with a cache.
 *
 * <p>Under a causal mask, the forward pass is bit-identical to the last rows of the {@link Attention} of the same kind
 * (scalar or vector). Generation therefore gives the same tokens with and without a cache. One exception: for a
 * sequence of one token, with identity terms and at least half as many heads as lanes, outputs may differ in the last
 * bit. Both passes have the same bits on every call, for every number of threads, and whatever other sequences the call
 * contains.
 */
public sealed interface CachedAttention permits ScalarCachedAttention, VectorCachedAttention {

    /**
     * Computes rows r = 0 ... {@code count - 1} of outputs, and of identity outputs if there are identity terms. Row r
     * is for the cached sequence {@code sequences[r]}. Nothing is saved, and the cache does not change.
     *
     * @param outputs {@code count} rows; its saved values are ignored
     * @param inputs queries of {@code count} rows, a, b and phi; keys, values and tokens come from the cache
     * @param sequences numbers of cached sequences, possibly repeated
     * @throws IllegalArgumentException if {@code count} is not from 0 to the length of {@code sequences}, a sequence is
     *     not in the cache or has no position, or an array that the shape needs is too short; queries, a and phi are
     *     ignored for uniform weights
     */
    void forward(AttentionOutputs outputs, AttentionInputs inputs, AttentionCache cache, int[] sequences, int count);

    /**
     * Computes row s of outputs for each sequence s. No array may be both written and read.
     *
     * @param outputs count x (heads * headWidth); its saved values are ignored
     * @param inputs queries, count x (heads * headWidth); keys, values and phi as for {@link Attention}
     * @throws IllegalArgumentException if the shape has identity terms, a sequence is empty, or an array that the shape
     *     needs is too short; queries, keys and phi are ignored for uniform weights
     */
    void forward(AttentionOutputs outputs, AttentionInputs inputs, RaggedOffsets sequences, AttentionShape shape);

    /**
     * Computes the gradients of all inputs of {@link #forward(AttentionOutputs, AttentionInputs, RaggedOffsets,
     * AttentionShape)}, from recomputed weights. The gradients of queries, keys and values are overwritten (for uniform
     * weights only the gradients of values); the gradient of phi is added to its array. No array may be both written
     * and read.
     *
     * @param dOutputs gradients of outputs
     * @param outputs the values that the forward pass of the same class wrote
     * @throws IllegalArgumentException as in the forward pass
     */
    void backward(
            AttentionInputs dInputs,
            AttentionOutputs dOutputs,
            AttentionOutputs outputs,
            AttentionInputs inputs,
            RaggedOffsets sequences,
            AttentionShape shape);

    /** Whether {@code cached} and {@code attention} are both scalar or both SIMD, without rounding. */
    static boolean isLastRowOf(Attention attention, CachedAttention cached) {
        return switch (cached) {
            case ScalarCachedAttention _ -> attention instanceof ScalarAttention;
            case VectorCachedAttention _ -> attention instanceof VectorAttention;
        };
    }

    static void checkForward(
            AttentionOutputs outputs, AttentionInputs inputs, AttentionCache cache, int[] sequences, int count) {
        Refuse.outside("count", count, 0, sequences.length);
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
        inputs.check("", count, 0, shape);
    }

    static void checkForward(
            AttentionOutputs outputs, AttentionInputs inputs, RaggedOffsets sequences, AttentionShape shape) {
        if (shape.identityWidth() > 0) {
            throw new IllegalArgumentException(
                    "shape: expected no identity terms, got " + shape.identityWidth() + " columns");
        }
        for (int sequence = 0; sequence < sequences.count(); sequence++) {
            if (sequences.length(sequence) == 0) {
                throw new IllegalArgumentException(
                        "sequences: expected at least 1 position each, got none in sequence " + sequence);
            }
        }
        checkLength("", "outputs", outputs.outputs(), (long) sequences.count() * shape.width());
        inputs.check("", sequences.count(), sequences.total(), shape);
    }

    static void checkBackward(
            AttentionInputs dInputs,
            AttentionOutputs dOutputs,
            AttentionOutputs outputs,
            AttentionInputs inputs,
            RaggedOffsets sequences,
            AttentionShape shape) {
        checkForward(outputs, inputs, sequences, shape);
        checkLength("dOutputs.", "outputs", dOutputs.outputs(), (long) sequences.count() * shape.width());
        dInputs.check("dInputs.", sequences.count(), sequences.total(), shape);
    }
}
