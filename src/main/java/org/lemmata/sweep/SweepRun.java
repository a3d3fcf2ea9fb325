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
import org.lemmata.sweep.CellRun.Report.Ending;
import org.lemmata.track.CellRecord;
import org.lemmata.track.CellRecord.Status;

/** Completes a sweep in a directory: finished cells stay, failed cells are retried, and the others run. */
public record SweepRun(Sweep sweep, SweepEngine engine, Map<String, String> options) {

    public record Progress(int cells, int before, int done, int failed, int running, double doneCost, double leftCost) {

        public boolean isComplete() {
            return done == cells;
        }
    }

    /** Notified of a sweep's progress, on any thread, one call at a time. */
    @FunctionalInterface
    public interface ProgressListener {

        /**
         * A cell has started or ended.
         *
         * @param ended the record of the cell that ended; empty if a cell started
         */
        void changed(Progress progress, Optional<CellRecord> ended);
    }

    /**
     * Runs the unfinished cells; returns the final progress.
     *
     * @param stop whether to stop; the next run then resumes the cells that were running
     * @throws IllegalArgumentException if the engine cannot run these cells
     * @throws IOException if results cannot be recorded; earlier records stay intact
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
        // The longest cell starts first: if it started last, the other cores would be idle.
        pending.sort(Comparator.comparingDouble(Cell::cost).reversed());
        var book = new Book(directory, pending, listener);
        var limits = new CellRun.Limits(sweep.threads(), sweep.retries(), sweep.keep());
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

    /** Removes the files that are needed only to resume a cell, after its result is recorded. */
    private void release(SweepDirectory directory, Cell cell) throws IOException {
        Trial.named(cell.trial()).release(SweepDirectory.ofCell(directory.path(), cell.id()), sweep.keep());
    }

    /**
     * Counts cells and records those that end. An engine that lost a cell may start it again and report its end twice;
     * the cell is counted once.
     */
    private final class Book implements SweepEngine.Listener {

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
            // Costs are summed in another order, so the difference may be slightly below 0.
            double leftCost = Math.max(0, cost - doneCost);
            return new Progress(sweep.cells().size(), before, done, failed, running.size(), doneCost, leftCost);
        }

        @Override
        public synchronized void started(Cell cell) {
            running.add(cell.id());
            listener.changed(progress(), Optional.empty());
        }

        @Override
        public void ended(Cell cell, CellRun.Report report) throws IOException {
            CellRecord record = report.record();
            if (record != null) {
                directory.add(record, report.trace());
                if (report.ending() == Ending.DONE) {
                    release(directory, cell);
                }
            }
            count(cell, report, record);
        }

        private synchronized void count(Cell cell, CellRun.Report report, @Nullable CellRecord record) {
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
