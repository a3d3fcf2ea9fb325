package org.lemmata.benchmark.peer;

import java.util.List;

/** One operation by one library, over inputs that lie where that library wants them. */
public interface Contender extends AutoCloseable {

    /** Does the operation once: what is measured. */
    void run();

    /** Does the operation once and gives what it computed, in the order and the layout that all libraries share. */
    List<float[]> results();

    /** The library, its version, and the code that it chose for this processor; after a run. */
    String description();

    @Override
    default void close() {}
}
