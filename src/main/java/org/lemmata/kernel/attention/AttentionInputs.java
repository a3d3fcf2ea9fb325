package org.lemmata.kernel.attention;

import org.lemmata.index.RaggedOffsets;

/**
 * The arrays that {@link Attention} reads, or their gradients in the backward pass.
 *
 * <p>Every matrix is stored row by row from element 0 on, without padding. Arrays that no option needs may be empty.
 *
 * @param queries total x (heads * headWidth)
 * @param keys total x (heads * headWidth)
 * @param values total x (heads * headWidth)
 * @param tokens total x identityWidth: the input of the layer
 * @param keyQueryIdentities a_h, one per head
 * @param valueOutputIdentities b_h, one per head
 * @param scoreBiases phi, heads x biasSpan: element h * biasSpan + d for the distance d
 */
@SuppressWarnings("ArrayRecordComponent") // Arrays that kernels read and write; they are never compared or printed.
public record AttentionInputs(
        float[] queries,
        float[] keys,
        float[] values,
        float[] tokens,
        float[] keyQueryIdentities,
        float[] valueOutputIdentities,
        float[] scoreBiases) {

    private static final float[] NONE = {};

    /** Empty arrays, stored in place of the caller's arrays between calls. */
    public static final AttentionInputs EMPTY = of(NONE, NONE, NONE);

    public static AttentionInputs of(float[] queries, float[] keys, float[] values) {
        return new AttentionInputs(queries, keys, values, NONE, NONE, NONE, NONE);
    }

    public static AttentionInputs zeros(RaggedOffsets sequences, AttentionShape shape) {
        int size = Math.multiplyExact(sequences.total(), shape.width());
        int scored = shape.hasScores() ? size : 0;
        int identities = shape.identityWidth() == 0 ? 0 : shape.heads();
        return new AttentionInputs(
                new float[scored],
                new float[scored],
                new float[size],
                new float[Math.multiplyExact(sequences.total(), shape.identityWidth())],
                new float[identities],
                new float[identities],
                new float[Math.multiplyExact(shape.heads(), shape.biasSpan())]);
    }

    public AttentionInputs withIdentities(
            float[] newTokens, float[] newKeyQueryIdentities, float[] newValueOutputIdentities) {
        return new AttentionInputs(
                queries, keys, values, newTokens, newKeyQueryIdentities, newValueOutputIdentities, scoreBiases);
    }

    public AttentionInputs withScoreBiases(float[] newScoreBiases) {
        return new AttentionInputs(
                queries, keys, values, tokens, keyQueryIdentities, valueOutputIdentities, newScoreBiases);
    }

    /**
     * Checks the lengths of the arrays that {@code shape} needs, for {@code queryRows} rows of queries and
     * {@code total} rows of keys, values and tokens. Error messages begin with {@code prefix}.
     */
    public void check(String prefix, long queryRows, long total, AttentionShape shape) {
        AttentionOutputs.checkLength(prefix, "values", values, total * shape.width());
        if (shape.identityWidth() > 0) {
            AttentionOutputs.checkLength(prefix, "tokens", tokens, total * shape.identityWidth());
            AttentionOutputs.checkLength(prefix, "valueOutputIdentities", valueOutputIdentities, shape.heads());
        }
        if (shape.hasScores()) {
            AttentionOutputs.checkLength(prefix, "queries", queries, queryRows * shape.width());
            AttentionOutputs.checkLength(prefix, "keys", keys, total * shape.width());
            if (shape.identityWidth() > 0) {
                AttentionOutputs.checkLength(prefix, "keyQueryIdentities", keyQueryIdentities, shape.heads());
            }
            AttentionOutputs.checkLength(prefix, "scoreBiases", scoreBiases, (long) shape.heads() * shape.biasSpan());
        }
    }
}
