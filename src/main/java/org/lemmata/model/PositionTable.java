package org.lemmata.model;

/** Position tables that are written down, not drawn. Whether one is trained after that is a matter of the optimizer. */
public enum PositionTable {
    /**
     * P_{t, 2i} = sin(t / 10000^(2i / width)), P_{t, 2i + 1} = cos(t / 10000^(2i / width)), t = 0, 1, ...
     *
     * <p>Source: Vaswani et al. (2017), Attention is all you need, section 3.5.
     */
    SINUSOIDAL {
        @Override
        double entry(int row, int column, int width) {
            double angle = row / Math.pow(10000, (column - column % 2) / (double) width);
            return column % 2 == 0 ? Math.sin(angle) : Math.cos(angle);
        }
    },

    /** P_{t, j} = 1 if j = t, else 0: takes a width of at least the number of rows. */
    ONE_HOT {
        @Override
        double entry(int row, int column, int width) {
            return row == column ? 1 : 0;
        }
    };

    abstract double entry(int row, int column, int width);

    /**
     * Writes the table over that of the parameters.
     *
     * @throws IllegalArgumentException if there is none, or it has more rows than {@link #ONE_HOT} can tell apart
     */
    public void writeInto(Parameters parameters) {
        Architecture architecture = parameters.architecture();
        ParameterView table = architecture
                .find(ParameterRole.POSITION_EMBEDDING, ParameterView.NO_LAYER)
                .orElseThrow(() -> new IllegalArgumentException("positions: expected a table for " + this + ", got "
                        + architecture.positions().kind()));
        if (this == ONE_HOT && table.rows() > table.columns()) {
            throw new IllegalArgumentException("width: expected at least " + table.rows()
                    + ", the rows of the position table, for " + this + ", got " + table.columns());
        }
        for (int row = 0; row < table.rows(); row++) {
            for (int column = 0; column < table.columns(); column++) {
                parameters.values()[table.offset() + row * table.columns() + column] =
                        (float) entry(row, column, table.columns());
            }
        }
    }
}
