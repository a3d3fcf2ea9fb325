package org.lemmata.model;

import org.lemmata.argument.Refuse;

/**
 * The readout after the last layer: x Uᵀ + c.
 *
 * @param kind what the outputs are for
 * @param tied whether U is the token embedding
 * @param bias whether c exists
 */
public record OutputOptions(Kind kind, boolean tied, boolean bias) {

    /** What the outputs are for. */
    public enum Kind {
        /** U has one row per token: the logits of the next token at each position. */
        NEXT_TOKEN,
        /** U has a single row: the output is a real number, the answer at the last position. */
        REGRESSION
    }

    public OutputOptions {
        Refuse.when(tied && kind == Kind.REGRESSION, "tied", "an unembedding of its own for REGRESSION", "tied");
    }

    public static OutputOptions nextToken(boolean tied) {
        return new OutputOptions(Kind.NEXT_TOKEN, tied, false);
    }

    public static OutputOptions regression(boolean bias) {
        return new OutputOptions(Kind.REGRESSION, false, bias);
    }

    /** Rows of U. */
    int rows(int vocabularySize) {
        return kind == Kind.NEXT_TOKEN ? vocabularySize : 1;
    }
}
