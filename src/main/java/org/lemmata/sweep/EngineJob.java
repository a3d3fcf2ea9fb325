package org.lemmata.sweep;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The cells that an engine runs.
 *
 * @param cells the cells in the order in which they should start, by descending cost
 * @param limits limits for each cell
 * @param memoryBytes maximum heap of a cell in bytes, 0 if unknown
 * @param directory the directory of the sweep; cells use {@link #directory(Cell)}
 * @param options the engine's options from the command line
 * @param stop whether each cell should stop at the next point from which it can be resumed
 */
public record EngineJob(
        List<Cell> cells,
        CellRun.Limits limits,
        long memoryBytes,
        Path directory,
        Map<String, String> options,
        BooleanSupplier stop) {

    /** The fraction of the heap for cells; the program itself and uncollected garbage use the rest. */
    private static final double USABLE_HEAP = 0.8;

    public Path directory(Cell cell) {
        return SweepDirectory.ofCell(directory, cell.id());
    }

    /**
     * The number of cells that fit in a heap at once; {@code memoryBytes} must be known.
     *
     * @param heap the name of the heap, for messages
     * @param remedy how to enlarge the heap, for messages
     * @throws IllegalArgumentException if not even one cell fits
     */
    public long cellsWithin(long heapBytes, String heap, String remedy) {
        shortage(heapBytes, heap, remedy).ifPresent(message -> {
            throw new IllegalArgumentException(message);
        });
        return usable(heapBytes) / memoryBytes;
    }

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
