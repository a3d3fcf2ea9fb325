package org.lemmata.benchmark.peer;

import java.util.List;

/** One operation by one library, with inputs in that library's memory layout. */
public interface Contender extends AutoCloseable {

    /** Runs the operation once; this is measured. */
    void run();

    /** Runs the operation once and returns its results, in the order and layout that all libraries share. */
    List<float[]> results();

    /** The library, its version, and the code that it chose for this processor; call it after a run. */
    String description();

    @Override
    default void close() {}
}
