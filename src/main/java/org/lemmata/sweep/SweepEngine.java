package org.lemmata.sweep;

import java.io.IOException;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lemmata.argument.Refuse;

/** Runs the cells of a sweep. Engines other than {@link LocalEngine} are found by {@link ServiceLoader}. */
public interface SweepEngine {

    /** The name on the command line. */
    String name();

    /**
     * Runs the cells of a job; returns when all have ended or stopped.
     *
     * @throws IllegalArgumentException if an option of the engine is not legal, or the machine is too small for a cell
     * @throws IOException if a result cannot be recorded, or the engine fails; the next run resumes the cells that were
     *     running
     */
    void run(EngineJob job, Listener listener) throws IOException;

    /** Listener for starts and ends of cells. An engine calls it on any thread. */
    interface Listener {

        void started(Cell cell);

        /**
         * A cell ended. Called for each start of a cell, unless the end was lost with the engine or for lack of memory.
         *
         * @throws IOException if the report cannot be recorded; the engine then stops and rethrows the exception
         */
        void ended(Cell cell, CellRun.Report report) throws IOException;
    }

    /**
     * The engine with this name.
     *
     * @throws IllegalArgumentException if there is none
     */
    static SweepEngine named(String name) {
        return all().filter(engine -> engine.name().equals(name)).findFirst().orElseThrow(() -> {
            String names = all().map(SweepEngine::name).sorted().collect(Collectors.joining(", "));
            return new IllegalArgumentException("--engine: expected one of " + names + ", got " + Refuse.quoted(name)
                    + (name.equals("spark") ? "; build it with: mvn -P spark -DskipTests package" : ""));
        });
    }

    private static Stream<SweepEngine> all() {
        return Stream.concat(
                Stream.of(new LocalEngine()),
                ServiceLoader.load(SweepEngine.class, SweepEngine.class.getClassLoader()).stream()
                        .map(ServiceLoader.Provider::get));
    }
}
