package org.lemmata.claim.evidence;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lemmata.claim.Budget;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.file.FileTree;
import org.lemmata.sweep.Cell;
import org.lemmata.sweep.LocalEngine;
import org.lemmata.sweep.Sweep;
import org.lemmata.sweep.SweepDirectory;
import org.lemmata.sweep.SweepRun;
import org.lemmata.sweep.Trial;
import org.lemmata.track.CellRecord;
import org.lemmata.track.Evidence;

/**
 * Adds cells to the evidence of figures. It computes the missing cells of a budget, and adds each cell as soon as it is
 * done. A campaign can be stopped at any time and resumed later. Existing evidence does not change.
 *
 * @param budget the sizes to compute
 * @param claims the claims whose figures are computed
 * @param evidence the evidence, to which cells are added
 * @param work the directory for running cells and for checkpoints of unfinished cells
 */
public record Campaign(Budget budget, List<FigureClaim> claims, Evidence evidence, Path work) {

    /**
     * The missing cells of a figure.
     *
     * @param claims the number of the campaign's claims about the figure
     * @param all the number of cells of its grid, missing or not
     * @param left the missing cells
     * @param seconds the estimated time for running the missing cells one after another; NaN if the grid has no
     *     recorded cells for an estimate
     */
    public record Part(FigureGrid grid, long claims, int all, Sweep left, double seconds) {}

    public Campaign {
        claims = List.copyOf(claims);
    }

    /** The figures with missing cells, by ascending cost per claim. */
    public List<Part> left() throws IOException {
        Map<FigureGrid, Long> waiting = claims.stream()
                .collect(Collectors.groupingBy(FigureClaim::grid, LinkedHashMap::new, Collectors.counting()));
        var records = new HashMap<String, Map<String, CellRecord>>();
        var parts = new ArrayList<Part>();
        for (Map.Entry<FigureGrid, Long> each : waiting.entrySet()) {
            FigureGrid grid = each.getKey();
            Map<String, CellRecord> known = records.get(grid.paper());
            if (known == null) {
                known = evidence.read(grid.paper());
                records.put(grid.paper(), known);
            }
            Sweep sweep = grid.sweep(budget);
            Set<String> recorded = known.keySet();
            List<Cell> left = sweep.cells().stream()
                    .filter(cell -> !recorded.contains(cell.id()))
                    .toList();
            if (!left.isEmpty()) {
                parts.add(new Part(
                        grid,
                        each.getValue(),
                        sweep.cells().size(),
                        sweep.withCells(left),
                        cost(left) * secondsOfACost(grid, known)));
            }
        }
        parts.sort(Comparator.comparingDouble(part -> cost(part.left().cells()) / part.claims()));
        return parts;
    }

    private static double cost(List<Cell> cells) {
        return cells.stream().mapToDouble(Cell::cost).sum();
    }

    /** The seconds per unit of cost, averaged over the recorded cells of all sizes; NaN if there are no such cells. */
    private static double secondsOfACost(FigureGrid grid, Map<String, CellRecord> known) throws IOException {
        double seconds = 0;
        double cost = 0;
        var counted = new HashSet<String>();
        for (Budget size : grid.sizes()) {
            for (Cell cell : grid.sweep(size).cells()) {
                CellRecord record = known.get(cell.id());
                if (record != null && counted.add(cell.id())) {
                    seconds += record.run().seconds();
                    cost += cell.cost();
                }
            }
        }
        return seconds / cost;
    }

    /**
     * Runs the missing cells of a figure, in order of descending cost.
     *
     * @param stop whether to stop; running cells then save a checkpoint
     * @throws IOException if cells cannot be written; finished cells are kept
     * @throws UncheckedIOException if the evidence cannot be written while cells run; finished cells are kept
     */
    public SweepRun.Progress run(Part part, BooleanSupplier stop, SweepRun.ProgressListener listener)
            throws IOException {
        var run = new FigureRun(part.grid(), part.left(), directory(part));
        SweepRun.Progress end = run.grow(evidence, stop, listener);
        if (end.isComplete()) {
            run.discard();
        }
        return end;
    }

    /**
     * The directory for cells with this JVM's vector width. Bits depend on the width, so a cell must be resumed with
     * the width at which it began. The directory does not depend on the commit: a campaign may outlast many commits.
     */
    private Path directory(Part part) {
        String lanes = Trial.named(part.left().trial()).simd().replaceAll("[^A-Za-z0-9]+", "-");
        return work.resolve(part.grid().id() + "-" + budget.label() + "-" + lanes);
    }

    /**
     * Computes cells of a figure and adds them to the evidence.
     *
     * @param sweep the cells to compute: all cells of the figure at a budget, or the missing ones
     * @param directory the directory in which cells run; an interrupted run in this directory is resumed
     */
    public record FigureRun(FigureGrid grid, Sweep sweep, Path directory) {

        /**
         * Runs the unfinished cells. After all cells have ended, the successful cells are added to the evidence
         * together, and old evidence of failed cells is removed. All evidence of these cells is therefore from one run.
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
         * Runs the unfinished cells, and adds each cell to the evidence as soon as it is done. Finished cells of an
         * earlier, interrupted run are also added.
         */
        SweepRun.Progress grow(Evidence evidence, BooleanSupplier stop, SweepRun.ProgressListener listener)
                throws IOException {
            try (SweepDirectory results = SweepDirectory.open(directory)) {
                // An earlier run may have been killed after cells were done and before they were added.
                addDone(evidence, recorded(results));
                SweepRun.Progress end = sweep(results, stop, (progress, ended) -> {
                    try {
                        addDone(evidence, ended.stream().toList());
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    listener.changed(progress, ended);
                });
                addDone(evidence, recorded(results));
                return end;
            }
        }

        private SweepRun.Progress sweep(
                SweepDirectory results, BooleanSupplier stop, SweepRun.ProgressListener listener) throws IOException {
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

        /** Deletes the directory. Finished cells are in the evidence. The next run computes all cells anew. */
        public void discard() throws IOException {
            FileTree.delete(directory);
        }
    }
}
