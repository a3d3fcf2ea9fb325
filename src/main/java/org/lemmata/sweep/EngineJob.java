package org.lemmata.sweep;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * What an engine is to run.
 *
 * @param cells in the order in which they should start, the longest first
 * @param limits of each cell
 * @param memoryBytes of heap that a cell takes at most, 0 where unknown
 * @param directory of the sweep; cells work in {@link #directory(Cell)}
 * @param options of the engine, from the command line
 * @param stop whether all cells are to stop as soon as they can go on from there
 */
public record EngineJob(
        List<Cell> cells,
        CellLimits limits,
        long memoryBytes,
        Path directory,
        Map<String, String> options,
        BooleanSupplier stop) {

    /** The directory of one cell. */
    public Path directory(Cell cell) {
        return SweepDirectory.ofCell(directory, cell.id());
    }
}
