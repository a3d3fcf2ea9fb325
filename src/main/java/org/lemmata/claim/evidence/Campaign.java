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
 * Lets the evidence of figures grow: computes the cells of a budget that it lacks, and adds each as it ends, so that a
 * campaign may be stopped anywhere and taken up as often as it takes. What the evidence has is not touched.
 *
 * @param budget whose sizes are computed
 * @param claims whose figures' cells they are
 * @param evidence grows
 * @param work where cells are computed, and unfinished ones keep their checkpoints
 */
public record Campaign(Budget budget, List<FigureClaim> claims, Evidence evidence, Path work) {

    /**
     * What is left of a figure.
     *
     * @param claims that wait for it
     * @param all cells of its grid, left or not
     * @param left the cells that the evidence lacks
     * @param seconds that those take one after the other on the cores of one cell, by the recorded ones of the grid;
     *     NaN where there is none
     */
    public record Part(FigureGrid grid, long claims, int all, Sweep left, double seconds) {

        private double costOfAClaim() {
            return cost(left.cells()) / claims;
        }
    }

    public Campaign {
        claims = List.copyOf(claims);
    }

    /** What is left, in the order in which it decides most: the cheapest for a claim that waits first. */
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
        parts.sort(Comparator.comparingDouble(Part::costOfAClaim));
        return parts;
    }

    private static double cost(List<Cell> cells) {
        return cells.stream().mapToDouble(Cell::cost).sum();
    }

    /** Of the recorded cells of all sizes; NaN if there is none. */
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
     * Runs what is left of a figure, dearest cells first.
     *
     * @param stop whether to stop: cells that were running then leave a checkpoint
     * @throws IOException if cells or the evidence cannot be written; what ended before is kept
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
     * One for each lane width: it decides bits, so that a cell goes on with the width that it began with. Not one for
     * each commit: a campaign outlives many.
     */
    private Path directory(Part part) {
        String lanes = Trial.named(part.left().trial()).simd().replaceAll("[^A-Za-z0-9]+", "-");
        return work.resolve(part.grid().id() + "-" + budget.label() + "-" + lanes);
    }

    /**
     * Computes all cells of a figure and makes them its evidence.
     *
     * @param grid of the figure
     * @param sweep its cells at a budget
     * @param directory where they are computed; what an interrupted run left there is taken up
     */
    public record FigureRun(FigureGrid grid, Sweep sweep, Path directory) {

        /**
         * Runs what is not done. Once all cells have ended, those that are done go to the evidence together, and what
         * it had of those that failed goes, so that it is of one run, not of half of one.
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

        /** Removes the directory: what is done is in the evidence, and the next run computes all cells anew. */
        public void discard() throws IOException {
            FileTree.delete(directory);
        }
    }
}
