package org.lemmata.task;

import java.util.function.IntPredicate;

/** A task whose only answer is a number at the end of a sequence. */
public interface RegressionTask {

    /**
     * The answer to a sequence of any length, in binary64.
     *
     * @throws IllegalArgumentException if an id is not legal, or the task has no value for the empty sequence
     */
    double value(int... ids);

    /** The positions, counted from 0, of the tokens on which {@link #value} depends. */
    IntPredicate relevantPositions(int... ids);
}
