package org.lemmata.kernel.feedforward;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.normalization.Normalization;

/**
 * The sizes and the kind of a feed-forward layer.
 *
 * @param inputs columns of x, at least 1
 * @param hidden columns between the two linear maps, at least 1
 * @param outputs columns of y, at least 1
 * @param activation the function between the two linear maps
 * @param normalization the normalization of rows before the activation, or null for none
 * @param epsilon epsilon of the normalization, at least 0
 */
public record FeedForwardShape(
        int inputs,
        int hidden,
        int outputs,
        Activation.Kind activation,
        Normalization.@Nullable Kind normalization,
        float epsilon) {

    /** This is not a compact constructor, because that would lose the annotation of {@code normalization}. */
    public FeedForwardShape(
            int inputs,
            int hidden,
            int outputs,
            Activation.Kind activation,
            Normalization.@Nullable Kind normalization,
            float epsilon) {
        if (inputs < 1 || hidden < 1 || outputs < 1) {
            throw new IllegalArgumentException(
                    "inputs, hidden, outputs: expected at least 1, got " + inputs + ", " + hidden + ", " + outputs);
        }
        if (!(epsilon >= 0)) {
            throw new IllegalArgumentException("epsilon: expected a number from 0 on, got " + epsilon);
        }
        this.inputs = inputs;
        this.hidden = hidden;
        this.outputs = outputs;
        this.activation = Objects.requireNonNull(activation, "activation");
        this.normalization = normalization;
        this.epsilon = epsilon;
    }

    public FeedForwardShape(int inputs, int hidden, int outputs, Activation.Kind activation) {
        this(inputs, hidden, outputs, activation, null, 0);
    }

    public int statistics() {
        return normalization == null ? 0 : normalization.statistics();
    }

    long weights() {
        return (long) hidden * ((long) inputs + outputs);
    }
}
