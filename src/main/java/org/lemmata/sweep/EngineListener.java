package org.lemmata.sweep;

import java.io.IOException;

/** Listener for starts and ends of cells. An engine calls it on any thread. */
public interface EngineListener {

    void started(Cell cell);

    /**
     * A cell ended. Called for each start of a cell, unless the end was lost with the engine or for lack of memory.
     *
     * @throws IOException if the report cannot be recorded; the engine then stops and rethrows the exception
     */
    void ended(Cell cell, CellReport report) throws IOException;
}
