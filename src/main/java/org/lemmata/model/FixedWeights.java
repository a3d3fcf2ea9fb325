package org.lemmata.model;

import org.lemmata.argument.Refuse;

/** Weights that are written down, not drawn. Whether they are trained after that is a matter of the optimizer. */
public enum FixedWeights {
    /**
     * E = [1 ... 1; -1 ... -1]: the token embedding of two tokens.
     *
     * <p>Layer normalization right after it takes the mean of the columns away, and with it all that this says of the
     * token; normalization by the root mean square does not.
     *
     * <p>Source: Richard (2024), appendix 5.3.4.
     */
    SIGN_TOKENS {
        @Override
        public void writeInto(Parameters parameters) {
            ParameterView tokens =
                    parameters.architecture().view(ParameterRole.TOKEN_EMBEDDING, ParameterView.NO_LAYER);
            Refuse.when(tokens.rows() != 2, "tokens", "a vocabulary of 2 for signs", tokens.rows());
            for (int column = 0; column < tokens.columns(); column++) {
                parameters.values()[tokens.offset() + column] = 1;
                parameters.values()[tokens.offset() + tokens.columns() + column] = -1;
            }
        }
    },

    /** W_V = I in every layer: each head has its own columns of what it attends to. */
    IDENTITY_VALUES {
        @Override
        public void writeInto(Parameters parameters) {
            Architecture architecture = parameters.architecture();
            for (int layer = 0; layer < architecture.layers(); layer++) {
                ParameterView value = architecture.view(ParameterRole.VALUE, layer);
                if (value.rows() != value.columns()) {
                    throw new IllegalArgumentException("values: expected as many columns of all heads as of the model, "
                            + value.rows() + ", for the identity, got " + value.columns());
                }
                for (int i = 0; i < value.size(); i++) {
                    boolean diagonal = i / value.columns() == i % value.columns();
                    parameters.values()[value.offset() + i] = diagonal ? 1 : 0;
                }
            }
        }
    };

    /**
     * Writes them over those that are there.
     *
     * @throws IllegalArgumentException if they are not of the shape
     */
    public abstract void writeInto(Parameters parameters);
}
