package org.lemmata.model;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lemmata.token.Batch;

/** A model with a loss: what gradient descent minimizes. */
public interface Objective {

    /** Every parameter with its place in the flat array, in the order in which they lie there, without holes. */
    List<ParameterView> layout();

    /**
     * The table of which {@link #gradient} reads the rows of the batch's ids alone, and leaves the gradients of all
     * others as they are; null if there is none.
     */
    default @Nullable ParameterView rowsOfTokens() {
        return null;
    }

    /** The flat array of parameters itself: who trains writes into it. */
    float[] parameters();

    /**
     * Adds the gradient of {@code factor} times the sum of the losses of all scored rows to {@code gradients}, which
     * has the layout of the parameters; returns that multiple of the sum.
     *
     * @param factor 1 over the number of scored rows of a step gives the gradient of the mean
     * @param seed of the run: with the step it decides what is dropped
     * @param step of the training
     * @throws IllegalArgumentException if the batch does not fit the model, or has no answers of its kind
     */
    double gradient(float[] gradients, Batch batch, double factor, long seed, long step);

    /**
     * The mean loss of the scored rows, with nothing dropped; NaN if no row is scored.
     *
     * @throws IllegalArgumentException as {@link #gradient} does
     */
    double loss(Batch batch);

    /**
     * How many scored rows are answered right, with nothing dropped: the likeliest token is the target, or the number
     * has the sign of the value.
     *
     * @throws IllegalArgumentException as {@link #gradient} does
     */
    int right(Batch batch);
}
