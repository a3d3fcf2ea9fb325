package org.lemmata.model;

import org.lemmata.token.Batch;

/** A model with outputs at every position of a sequence: the logits of the next token, or one number. */
public sealed interface LanguageModel permits Transformer, ReferenceTransformer {

    Architecture architecture();

    /**
     * The logits after each prefix: row t of the result belongs to token t of the batch and has one column per token of
     * the vocabulary. For regression, the only column is the predicted number at that position. A row depends on the
     * whole sequence in a model without a causal mask. If scores are multiplied by the logarithm of the sequence
     * length, a row depends on this length.
     *
     * @throws IllegalArgumentException if a sequence is longer than the architecture's {@code maxLength} or a token is
     *     outside the vocabulary
     */
    double[] logits(Batch batch);

    /**
     * The last row of each sequence. It has the bits of {@link #logits}. For regression, this row is the answer of the
     * model.
     *
     * <p>A {@link ReferenceTransformer}, or a {@link Transformer} for which {@link IncrementalForward#isExact} holds,
     * computes the last layer only for these rows. With one layer, the time is then linear in the length.
     *
     * @throws IllegalArgumentException as {@link #logits}, or if a sequence is empty
     */
    double[] lastLogits(Batch batch);

    /** Rejects a batch that has an empty sequence. */
    static void checkNotEmpty(Batch batch) {
        for (int sequence = 0; sequence < batch.sequences().count(); sequence++) {
            if (batch.sequences().length(sequence) == 0) {
                throw new IllegalArgumentException(
                        "batch: expected sequences of at least 1 token, got none in sequence " + sequence);
            }
        }
    }

    /** Rejects a batch with a sequence that is too long or a token outside the vocabulary. */
    static void check(Architecture architecture, Batch batch) {
        for (int sequence = 0; sequence < batch.sequences().count(); sequence++) {
            if (batch.sequences().length(sequence) > architecture.maxLength()) {
                throw new IllegalArgumentException(
                        "batch: expected at most " + architecture.maxLength() + " tokens per sequence, got "
                                + batch.sequences().length(sequence) + " in sequence " + sequence);
            }
        }
        for (int t = 0; t < batch.sequences().total(); t++) {
            if (batch.ids()[t] < 0 || batch.ids()[t] >= architecture.vocabularySize()) {
                throw new IllegalArgumentException("batch: expected tokens below " + architecture.vocabularySize()
                        + ", got " + batch.ids()[t] + " at " + t);
            }
        }
    }
}
