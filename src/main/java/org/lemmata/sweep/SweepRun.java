package org.lemmata.sweep;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.lemmata.sweep.CellReport.Ending;
import org.lemmata.track.CellRecord;
import org.lemmata.track.CellRecord.Status;

/**
 * Brings a sweep to its end in a directory: what is done there stays, what failed is tried again, the rest runs.
 *
 * @param sweep what is to be done
 * @param engine where it runs
 * @param options of the engine
 */
public record SweepRun(Sweep sweep, SweepEngine engine, Map<String, String> options) {

    /**
     * How far a sweep is.
     *
     * @param cells of the sweep
     * @param before cells that were done when it began
     * @param done cells that are done now, those before included
     * @param failed cells that failed now
     * @param running cells that run
     * @param doneCost of the cells that ended now, in their trial's unit
     * @param leftCost of those that have not
     */
    public record Progress(int cells, int before, int done, int failed, int running, double doneCost, double leftCost) {

        /** Whether every cell has a result. */
        public boolean isComplete() {
            return done == cells;
        }
    }

    /** Hears how far a sweep is, on any thread, one call at a time. */
    @FunctionalInterface
    public interface ProgressListener {

        /**
         * Something changed.
         *
         * @param ended the record of a cell that has just ended; empty if one has begun
         */
        void changed(Progress progress, Optional<CellRecord> ended);
    }

    /**
     * Runs what is not done; returns how far it came.
     *
     * @param stop whether to stop: cells that were running then go on the next time
     * @throws IllegalArgumentException if the engine cannot run such cells
     * @throws IOException if results cannot be recorded; whatever was recorded before is whole
     */
    public Progress run(SweepDirectory directory, BooleanSupplier stop, ProgressListener listener) throws IOException {
        directory.writeConfiguration(sweep.yaml());
        List<Cell> pending = new ArrayList<>();
        for (Cell cell : sweep.cells()) {
            Optional<CellRecord> record = directory.record(cell);
            if (record.isEmpty() || record.get().status() == Status.FAILED) {
                pending.add(cell);
            } else {
                release(directory, cell);
            }
        }
        // The longest first: a long one that begins last would leave the other cores idle.
        pending.sort(Comparator.comparingDouble(Cell::cost).reversed());
        var book = new Book(directory, pending, listener);
        var limits = new CellLimits(sweep.threads(), sweep.retries(), sweep.keep());
        try {
            engine.run(new EngineJob(pending, limits, sweep.memoryBytes(), directory.path(), options, stop), book);
        } catch (IOException | RuntimeException | Error e) {
            try {
                directory.writeTable(sweep.cells());
            } catch (IOException | RuntimeException | Error another) {
                e.addSuppressed(another);
            }
            throw e;
        }
        directory.writeTable(sweep.cells());
        return book.progress();
    }

    /** Only now that the result is recorded: until then a kill leaves the cell what it goes on from. */
    private void release(SweepDirectory directory, Cell cell) throws IOException {
        Trial.named(cell.trial()).release(SweepDirectory.ofCell(directory.path(), cell.id()), sweep.keep());
    }

    /**
     * Keeps the count, and puts what ends into the directory. An engine that lost sight of a cell may begin it again,
     * and may tell its end again: it counts once.
     */
    private final class Book implements EngineListener {

        private final SweepDirectory directory;
        private final ProgressListener listener;
        private final int before;
        private final double cost;
        private final Set<String> running = new HashSet<>();
        private final Set<String> ended = new HashSet<>();
        private int done;
        private int failed;
        private double doneCost;

        Book(SweepDirectory directory, List<Cell> pending, ProgressListener listener) {
            this.directory = directory;
            this.listener = listener;
            before = sweep.cells().size() - pending.size();
            done = before;
            cost = pending.stream().mapToDouble(Cell::cost).sum();
        }

        synchronized Progress progress() {
            // Sums of doubles in another order: what is left may come out a little below 0.
            double leftCost = Math.max(0, cost - doneCost);
            return new Progress(sweep.cells().size(), before, done, failed, running.size(), doneCost, leftCost);
        }

        @Override
        public synchronized void started(Cell cell) {
            running.add(cell.id());
            listener.changed(progress(), Optional.empty());
        }

        @Override
        public void ended(Cell cell, CellReport report) throws IOException {
            CellRecord record = report.record();
            if (record != null) {
                directory.add(record, report.trace());
                if (report.ending() == Ending.DONE) {
                    release(directory, cell);
                }
            }
            count(cell, report, record);
        }

        private synchronized void count(Cell cell, CellReport report, @Nullable CellRecord record) {
            running.remove(cell.id());
            if (record == null || !ended.add(cell.id())) {
                return;
            }
            if (report.ending() == Ending.DONE) {
                done++;
            } else {
                failed++;
            }
            doneCost += cell.cost();
            listener.changed(progress(), Optional.of(record));
        }
    }
}
