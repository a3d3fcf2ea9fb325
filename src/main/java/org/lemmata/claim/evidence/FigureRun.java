package org.lemmata.claim.evidence;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.lemmata.claim.FigureGrid;
import org.lemmata.file.FileTree;
import org.lemmata.sweep.LocalEngine;
import org.lemmata.sweep.Sweep;
import org.lemmata.sweep.SweepDirectory;
import org.lemmata.sweep.SweepRun;
import org.lemmata.track.CellRecord;
import org.lemmata.track.Evidence;

/**
 * Computes all cells of a figure and makes them its evidence.
 *
 * @param grid of the figure
 * @param sweep its cells at a budget
 * @param directory where they are computed; what an interrupted run left there is taken up
 */
public record FigureRun(FigureGrid grid, Sweep sweep, Path directory) {

    /**
     * Runs what is not done. Once all cells have ended, those that are done go to the evidence together, and what it
     * had of those that failed goes, so that it is of one run, not of half of one.
     *
     * @return how far it came
     */
    public SweepRun.Progress run(Evidence evidence, BooleanSupplier stop, SweepRun.ProgressListener listener)
            throws IOException {
        try (SweepDirectory results = SweepDirectory.open(directory)) {
            SweepRun.Progress end = sweep(results, stop, listener);
            if (hasEnded(end)) {
                evidence.add(grid.paper(), recorded(results));
            }
            return end;
        }
    }

    /**
     * Runs what is not done, and adds each cell to the evidence as it ends well, also those of an interrupted run.
     *
     * @return how far it came
     */
    SweepRun.Progress grow(Evidence evidence, BooleanSupplier stop, SweepRun.ProgressListener listener)
            throws IOException {
        try (SweepDirectory results = SweepDirectory.open(directory)) {
            addDone(evidence, recorded(results));
            SweepRun.Progress end = sweep(results, stop, (progress, ended) -> {
                try {
                    addDone(evidence, ended.stream().toList());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                listener.changed(progress, ended);
            });
            // What a kill kept out of the evidence.
            addDone(evidence, recorded(results));
            return end;
        }
    }

    private SweepRun.Progress sweep(SweepDirectory results, BooleanSupplier stop, SweepRun.ProgressListener listener)
            throws IOException {
        return new SweepRun(sweep, new LocalEngine(), Map.of()).run(results, stop, listener);
    }

    private List<CellRecord> recorded(SweepDirectory results) {
        Map<String, CellRecord> records = results.records();
        return sweep.cells().stream()
                .flatMap(cell -> Stream.ofNullable(records.get(cell.id())))
                .toList();
    }

    private void addDone(Evidence evidence, List<CellRecord> records) throws IOException {
        List<CellRecord> done = records.stream()
                .filter(record -> record.status() == CellRecord.Status.DONE)
                .toList();
        if (!done.isEmpty()) {
            evidence.add(grid.paper(), done);
        }
    }

    /** Whether no cell is left to run. */
    public static boolean hasEnded(SweepRun.Progress progress) {
        return progress.done() + progress.failed() == progress.cells();
    }

    /** Removes the directory: what is done is in the evidence, and the next run computes all cells anew. */
    public void discard() throws IOException {
        FileTree.delete(directory);
    }
}
