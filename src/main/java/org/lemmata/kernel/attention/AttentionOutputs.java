package org.lemmata.kernel.attention;

import org.lemmata.index.RaggedOffsets;

/**
 * The arrays that {@link Attention} writes: outputs, and values saved for the backward pass. The gradients of outputs
 * and identity outputs are also stored in this type.
 *
 * <p>Every matrix is stored row by row from element 0 on, without padding. Arrays that no option needs may be empty.
 *
 * @param outputs o, total x (heads * headWidth)
 * @param identityOutputs z, total x identityWidth
 * @param normalizers total x heads, saved: for softmax ln sum_j exp(final score); for thresholded softmax and hardmax
 *     sum_j u_ij; not used for uniform weights. Empty if no backward pass follows
 * @param maxScores total x heads, saved for hardmax and thresholded softmax: m_i, without the factor f_i. Empty if no
 *     backward pass follows
 */
@SuppressWarnings("ArrayRecordComponent") // Arrays that kernels read and write; they are never compared or printed.
public record AttentionOutputs(float[] outputs, float[] identityOutputs, float[] normalizers, float[] maxScores) {

    private static final float[] NONE = {};

    /** Empty arrays, stored in place of the caller's arrays between calls. */
    public static final AttentionOutputs EMPTY = of(NONE);

    public static AttentionOutputs of(float[] outputs) {
        return new AttentionOutputs(outputs, NONE, NONE, NONE);
    }

    public static AttentionOutputs zeros(RaggedOffsets sequences, AttentionShape shape) {
        int rows = Math.multiplyExact(sequences.total(), shape.heads());
        return new AttentionOutputs(
                new float[Math.multiplyExact(sequences.total(), shape.width())],
                new float[Math.multiplyExact(sequences.total(), shape.identityWidth())],
                new float[shape.hasScores() ? rows : 0],
                new float[shape.savesMaxScores() ? rows : 0]);
    }

    /** Checks the lengths of outputs and identity outputs. Error messages begin with {@code prefix}. */
    void check(String prefix, RaggedOffsets sequences, AttentionShape shape) {
        long total = sequences.total();
        checkLength(prefix, "outputs", outputs, total * shape.width());
        checkLength(prefix, "identityOutputs", identityOutputs, total * shape.identityWidth());
    }

    /** Checks the lengths of the saved arrays. If {@code mayBeEmpty}, empty arrays are also accepted. */
    void checkSaved(RaggedOffsets sequences, AttentionShape shape, boolean mayBeEmpty) {
        long rows = (long) sequences.total() * shape.heads();
        if (shape.hasScores() && !(mayBeEmpty && normalizers.length == 0)) {
            checkLength("", "normalizers", normalizers, rows);
        }
        if (shape.savesMaxScores() && !(mayBeEmpty && maxScores.length == 0)) {
            checkLength("", "maxScores", maxScores, rows);
        }
    }

    /**
     * Checks that an array has at least {@code needed} elements. The error message calls the array {@code prefix +
     * name}.
     */
    public static void checkLength(String prefix, String name, float[] data, long needed) {
        if (data.length < needed) {
            throw new IllegalArgumentException(
                    prefix + name + ": expected at least " + needed + " elements, got " + data.length);
        }
    }
}
