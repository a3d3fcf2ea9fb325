package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionOutputs.checkLength;

import org.lemmata.index.RaggedOffsets;

/**
 * The last row of {@link Attention} of each sequence alone: o^h = sum_j w_j^h v_j^h over all positions j = 0 ... n - 1
 * of a sequence, for the query of position n - 1.
 *
 * <p>It is what the last layer of a model needs whose answer stands at the end: it costs as much as sequences are long,
 * where {@link Attention} costs the square of it. Scores, weights, options, gradients, and what becomes of infinities
 * and NaN, are those that {@link Attention} states for i = n - 1, which sees all positions with or without a mask.
 * There are no identity terms.
 *
 * <p>Queries and outputs have one row a sequence, keys and values one a position. Nothing is saved but the outputs: the
 * backward pass makes the weights anew.
 *
 * <p>The forward pass has the bits of the last rows of the {@link Attention} of the same kind, scalar or on lanes. Both
 * passes have the same bits on every call and for every number of threads, whatever the other sequences are.
 */
public sealed interface LastQueryAttention permits ScalarLastQueryAttention, VectorLastQueryAttention {

    /**
     * Computes row s of outputs for each sequence s. No array written may be one that is read.
     *
     * @param outputs count x (heads * headWidth); its saved values are not looked at
     * @param inputs queries, count x (heads * headWidth); keys, values and phi as {@link Attention} has them
     * @throws IllegalArgumentException if the shape has identity terms, a sequence is empty, or an array that the shape
     *     needs is too short; queries, keys and phi are not looked at for uniform weights
     */
    void forward(AttentionOutputs outputs, AttentionInputs inputs, RaggedOffsets sequences, AttentionShape shape);

    /**
     * Computes the gradients of all inputs. Those of queries, keys and values are overwritten (the first two not looked
     * at for uniform weights); those of phi are added to. No array written may be one that is read.
     *
     * @param dOutputs gradients of outputs
     * @param outputs what {@link #forward} of the same class wrote
     * @throws IllegalArgumentException as {@link #forward}
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
        check("", inputs, sequences, shape);
    }

    /** The argument check that every implementation makes first. */
    static void checkBackward(
            AttentionInputs dInputs,
            AttentionOutputs dOutputs,
            AttentionOutputs outputs,
            AttentionInputs inputs,
            RaggedOffsets sequences,
            AttentionShape shape) {
        checkForward(outputs, inputs, sequences, shape);
        checkLength("dOutputs.", "outputs", dOutputs.outputs(), (long) sequences.count() * shape.width());
        check("dInputs.", dInputs, sequences, shape);
    }

    private static void check(String prefix, AttentionInputs inputs, RaggedOffsets sequences, AttentionShape shape) {
        checkLength(prefix, "values", inputs.values(), (long) sequences.total() * shape.width());
        if (shape.hasScores()) {
            checkLength(prefix, "queries", inputs.queries(), (long) sequences.count() * shape.width());
            checkLength(prefix, "keys", inputs.keys(), (long) sequences.total() * shape.width());
            checkLength(prefix, "scoreBiases", inputs.scoreBiases(), (long) shape.heads() * shape.biasSpan());
        }
    }
}
