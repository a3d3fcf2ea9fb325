package org.lemmata.task;

import java.util.function.IntPredicate;

/** A task whose only answer is a number at the end of a sequence. */
public interface RegressionTask {

    /**
     * The answer to a sequence of any length, in binary64.
     *
     * @throws IllegalArgumentException if an id is not in the vocabulary, or the sequence is empty
     */
    double value(int... ids);

    /** The positions, counted from 0, of the tokens on which {@link #value} depends. */
    IntPredicate relevantPositions(int... ids);
}
