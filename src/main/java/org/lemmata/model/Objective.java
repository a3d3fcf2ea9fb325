package org.lemmata.model;

import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lemmata.token.Batch;

/** A model with a loss, to be minimized by gradient descent. */
public interface Objective {

    /** The parameters with their places in the flat array, in ascending order of offset, without gaps. */
    List<ParameterView> layout();

    /**
     * The table of which {@link #gradient} reads only the rows of the batch's ids, and changes only the gradients of
     * these rows; null if there is none.
     */
    default @Nullable ParameterView rowsOfTokens() {
        return null;
    }

    /** The flat array of parameters, not a copy, because training writes into it. */
    float[] parameters();

    /**
     * Adds the gradient of {@code factor} times the sum of the losses of all scored rows to {@code gradients}, which
     * has the layout of the parameters. Returns {@code factor} times the sum.
     *
     * @param factor one over the number of scored rows of a step gives the gradient of the mean
     * @param seed the seed of the run: seed and step determine which elements are dropped
     * @param step the training step
     * @throws IllegalArgumentException if the batch does not fit the model, or has answers of the wrong kind
     */
    double gradient(float[] gradients, Batch batch, double factor, long seed, long step);

    /**
     * The mean loss of the scored rows, without dropout; NaN if no row is scored.
     *
     * @throws IllegalArgumentException as {@link #gradient} does
     */
    double loss(Batch batch);

    /**
     * The indices of correct answers among the scored rows, without dropout. An answer is correct if the most likely
     * token is the target or, for regression, if the output has the sign of the value.
     *
     * @throws IllegalArgumentException as {@link #gradient} does
     */
    BitSet right(Batch batch);
}
