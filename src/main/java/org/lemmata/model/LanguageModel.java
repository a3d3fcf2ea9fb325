package org.lemmata.model;

import org.lemmata.token.Batch;

/** A model that gives outputs at every position of a sequence: the logits of the next token, or one number. */
public sealed interface LanguageModel permits Transformer, ReferenceTransformer {

    Architecture architecture();

    /**
     * The logits after each prefix: row t of the result belongs to token t of the batch, and has one column a token of
     * the vocabulary. Of a model of regression, the one column is the number that it gives at that position. A model
     * without causal mask reads the whole sequence for each row, and one whose scores take the logarithm of the
     * sequence's length knows that length.
     *
     * @throws IllegalArgumentException if a sequence is longer than the architecture's {@code maxLength} or a token is
     *     not in the vocabulary
     */
    double[] logits(Batch batch);

    /**
     * The last row of {@link #logits} of each sequence, with the same bits, a row a sequence: the answer of a model of
     * regression.
     *
     * <p>The last layer is computed for these rows alone, so that a model of one layer takes time linear in the length,
     * unless it is one that rounds or has no causal mask.
     *
     * @throws IllegalArgumentException as {@link #logits}, or if a sequence is empty
     */
    double[] lastLogits(Batch batch);

    /** Refuses a batch with a sequence that has no last token. */
    static void checkNotEmpty(Batch batch) {
        for (int sequence = 0; sequence < batch.sequences().count(); sequence++) {
            if (batch.sequences().length(sequence) == 0) {
                throw new IllegalArgumentException(
                        "batch: expected sequences of at least 1 token, got none in sequence " + sequence);
            }
        }
    }

    /** Refuses a batch that does not fit {@code architecture}. */
    static void check(Architecture architecture, Batch batch) {
        for (int sequence = 0; sequence < batch.sequences().count(); sequence++) {
            if (batch.sequences().length(sequence) > architecture.maxLength()) {
                throw new IllegalArgumentException("batch: expected at most " + architecture.maxLength()
                        + " tokens a sequence, got " + batch.sequences().length(sequence) + " in sequence " + sequence);
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
