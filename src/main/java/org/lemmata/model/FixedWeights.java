package org.lemmata.model;

import org.lemmata.argument.Refuse;

/** Initial weights defined by a formula. The optimizer's options determine whether they are trained. */
public enum FixedWeights {
    /**
     * P_{t, 2i} = sin(t / 10000^(2i / width)), P_{t, 2i + 1} = cos(t / 10000^(2i / width)), t = 0, 1, ...
     *
     * <p>Source: Vaswani et al. (2017), Attention is all you need, section 3.5.
     */
    SINUSOIDAL,

    /** P_{t, j} = 1 if j = t, else 0; the width must be at least the number of rows. */
    ONE_HOT,

    /**
     * E = [1 ... 1; -1 ... -1]: the token embedding of two tokens.
     *
     * <p>Layer normalization subtracts the mean of the columns of this embedding and thereby erases the token.
     * Root-mean-square normalization does not.
     *
     * <p>Source: Richard (2024), appendix 5.3.4.
     */
    SIGN_TOKENS,

    /** W_V = I in every layer: each head copies its own columns of the rows that it attends to. */
    IDENTITY_VALUES;

    /**
     * Writes these weights into {@code parameters}. Other parameters keep their values.
     *
     * @throws IllegalArgumentException if the shapes do not fit, or there is no table of positions to write
     */
    public void writeInto(Parameters parameters) {
        Architecture architecture = parameters.architecture();
        switch (this) {
            case SINUSOIDAL -> {
                ParameterView table = positions(architecture);
                for (int i = 0; i < table.size(); i++) {
                    int row = i / table.columns();
                    int column = i % table.columns();
                    double angle = row / Math.pow(10000, (column - column % 2) / (double) table.columns());
                    parameters.values()[table.offset() + i] =
                            (float) (column % 2 == 0 ? Math.sin(angle) : Math.cos(angle));
                }
            }
            case ONE_HOT -> {
                ParameterView table = positions(architecture);
                if (table.rows() > table.columns()) {
                    throw new IllegalArgumentException("width: expected at least " + table.rows()
                            + ", the rows of the position table, for " + this + ", got " + table.columns());
                }
                writeIdentity(parameters, table);
            }
            case SIGN_TOKENS -> {
                ParameterView tokens = architecture.view(ParameterRole.TOKEN_EMBEDDING, ParameterView.NO_LAYER);
                Refuse.when(tokens.rows() != 2, "tokens", "a vocabulary of 2 for signs", tokens.rows());
                for (int column = 0; column < tokens.columns(); column++) {
                    parameters.values()[tokens.offset() + column] = 1;
                    parameters.values()[tokens.offset() + tokens.columns() + column] = -1;
                }
            }
            case IDENTITY_VALUES -> {
                for (int layer = 0; layer < architecture.layers(); layer++) {
                    ParameterView value = architecture.view(ParameterRole.VALUE, layer);
                    if (value.rows() != value.columns()) {
                        throw new IllegalArgumentException(
                                "values: expected as many columns of all heads as of the model, " + value.rows()
                                        + ", for the identity, got " + value.columns());
                    }
                    writeIdentity(parameters, value);
                }
            }
        }
    }

    private ParameterView positions(Architecture architecture) {
        return architecture
                .find(ParameterRole.POSITION_EMBEDDING, ParameterView.NO_LAYER)
                .orElseThrow(() -> new IllegalArgumentException("positions: expected a table for " + this + ", got "
                        + architecture.positions().kind()));
    }

    private static void writeIdentity(Parameters parameters, ParameterView view) {
        for (int i = 0; i < view.size(); i++) {
            boolean diagonal = i / view.columns() == i % view.columns();
            parameters.values()[view.offset() + i] = diagonal ? 1 : 0;
        }
    }
}
