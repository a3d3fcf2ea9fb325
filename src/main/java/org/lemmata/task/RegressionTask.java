package org.lemmata.task;

import java.util.function.IntPredicate;

/** A task that asks for a number at the end of a sequence, and for nothing else. */
public interface RegressionTask {

    /**
     * The number, in binary64, of a sequence of any length.
     *
     * @throws IllegalArgumentException if an id is not in the vocabulary, or there is none
     */
    double value(int... ids);

    /** The positions of a sequence, counted from 0, whose tokens its number depends on. */
    IntPredicate relevantPositions(int... ids);
}
