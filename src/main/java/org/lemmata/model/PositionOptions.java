package org.lemmata.model;

import org.lemmata.kernel.embedding.EmbeddingShape;

/**
 * Which row of the position table is added to the embedding at position t = 0, 1, ...
 *
 * <p>The initialization determines what the table contains, and the optimizer's options determine whether it is
 * trained. Fixed positions, such as one-hot vectors, are a frozen table.
 *
 * @param period number of rows of a periodic table, at least 1; 0 for other kinds
 */
public record PositionOptions(Kind kind, int period) {

    /** The row of the table that belongs to each position. */
    public enum Kind {
        /** There is no table. */
        NONE,
        /** Row t of a table with a row for each position. */
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

    int rows(int maxLength) {
        return switch (kind) {
            case NONE -> 0;
            case TABLE -> maxLength;
            case PERIODIC -> period;
        };
    }

    EmbeddingShape.Positions kernelKind() {
        return EmbeddingShape.Positions.valueOf(kind.name());
    }
}
