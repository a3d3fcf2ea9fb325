package org.lemmata.claim.evidence;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
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
            SweepRun.Progress end = new SweepRun(sweep, new LocalEngine(), Map.of()).run(results, stop, listener);
            if (hasEnded(end)) {
                Map<String, CellRecord> records = results.records();
                List<CellRecord> ofSweep = sweep.cells().stream()
                        .map(cell -> records.get(cell.id()))
                        .filter(Objects::nonNull)
                        .toList();
                evidence.add(grid.paper(), ofSweep);
            }
            return end;
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
