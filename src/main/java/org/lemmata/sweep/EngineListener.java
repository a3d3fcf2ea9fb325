package org.lemmata.sweep;

import java.io.IOException;

/** Notified by an engine, on any thread, when cells start and end. */
public interface EngineListener {

    /** A cell began to run. */
    void started(Cell cell);

    /**
     * A cell ended; called once for each that started and was not lost with the engine.
     *
     * @throws IOException if the report cannot be recorded; the engine then stops and rethrows the exception
     */
    void ended(Cell cell, CellReport report) throws IOException;
}
