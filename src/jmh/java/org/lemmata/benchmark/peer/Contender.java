package org.lemmata.benchmark.peer;

import java.util.List;

/** One operation of one library, with inputs in the memory layout of the library. */
public interface Contender extends AutoCloseable {

    /** Runs the operation once. Only this method is measured. */
    void run();

    /** Runs the operation once and returns its results, in an order and layout that is common to all libraries. */
    List<float[]> results();

    /** The library, its version, and the code that it chose for this processor. Must be called after a run. */
    String description();

    @Override
    default void close() {}
}
