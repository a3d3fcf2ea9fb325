package org.lemmata.model;

import org.lemmata.kernel.embedding.EmbeddingShape;

/**
 * Which row of a position table is added to the embedding of position t = 0, 1, ...
 *
 * <p>What the table holds is a matter of its initialization, and whether it is trained a matter of the optimizer: fixed
 * positions, one-hot ones among them, are a frozen table.
 *
 * @param kind how a position finds its row
 * @param period rows of a periodic table, at least 1; 0 for the others: {@link Kind#TABLE} has one for each position
 */
public record PositionOptions(Kind kind, int period) {

    /** How a position finds its row. */
    public enum Kind {
        /** There is no table. */
        NONE,
        /** Row t of as many as a sequence may have positions. */
        TABLE,
        /**
         * Row t mod period.
         *
         * <p>Source: Izzo, Nichani and Lee (2025), section 3.1, where positions count from 1: row t here is their p_{t
         * + 1}.
         */
        PERIODIC
    }

    public PositionOptions {
        if (kind == Kind.PERIODIC ? period < 1 : period != 0) {
            throw new IllegalArgumentException("period: expected " + (kind == Kind.PERIODIC ? "at least 1" : "0")
                    + " with positions " + kind + ", got " + period);
        }
    }

    public static PositionOptions none() {
        return new PositionOptions(Kind.NONE, 0);
    }

    public static PositionOptions table() {
        return new PositionOptions(Kind.TABLE, 0);
    }

    public static PositionOptions periodic(int period) {
        return new PositionOptions(Kind.PERIODIC, period);
    }

    /** Rows of the table of a model of so many positions. */
    int rows(int maxLength) {
        return switch (kind) {
            case NONE -> 0;
            case TABLE -> maxLength;
            case PERIODIC -> period;
        };
    }

    EmbeddingShape.Positions kernelKind() {
        return switch (kind) {
            case NONE -> EmbeddingShape.Positions.NONE;
            case TABLE -> EmbeddingShape.Positions.TABLE;
            case PERIODIC -> EmbeddingShape.Positions.PERIODIC;
        };
    }
}
