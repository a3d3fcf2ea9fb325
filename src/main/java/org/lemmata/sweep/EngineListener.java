package org.lemmata.sweep;

import java.io.IOException;

/** Hears from an engine, on any thread, what becomes of cells. */
public interface EngineListener {

    /** A cell began to run. */
    void started(Cell cell);

    /**
     * A cell ended; called once for each that started and was not lost with the engine.
     *
     * @throws IOException if it cannot be recorded: the engine then stops, and throws it
     */
    void ended(Cell cell, CellReport report) throws IOException;
}
