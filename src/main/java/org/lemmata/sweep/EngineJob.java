package org.lemmata.sweep;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    /** The part of a heap that cells may be promised; the rest is the program's own, and garbage not yet collected. */
    private static final double USABLE_HEAP = 0.8;

    /** The directory of one cell. */
    public Path directory(Cell cell) {
        return SweepDirectory.ofCell(directory, cell.id());
    }

    /**
     * How many cells a heap has memory for at once; the job has to state that of one.
     *
     * @param heap what the heap is called
     * @param remedy what gives more of it
     * @throws IllegalArgumentException if there is not memory for one
     */
    public long cellsWithin(long heapBytes, String heap, String remedy) {
        shortage(heapBytes, heap, remedy).ifPresent(message -> {
            throw new IllegalArgumentException(message);
        });
        return usable(heapBytes) / memoryBytes;
    }

    /** What is said where a heap has no memory for one cell. */
    Optional<String> shortage(long heapBytes, String heap, String remedy) {
        return usable(heapBytes) >= memoryBytes
                ? Optional.empty()
                : Optional.of("memory: expected at most " + (usable(heapBytes) >> 20) + " MiB, four fifths of " + heap
                        + ", got " + (memoryBytes >> 20) + " MiB; " + remedy + " gives more heap");
    }

    private static long usable(long heapBytes) {
        return (long) (USABLE_HEAP * heapBytes);
    }
}
