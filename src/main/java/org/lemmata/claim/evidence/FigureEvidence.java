package org.lemmata.claim.evidence;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.lemmata.claim.Budget;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.file.FileTree;
import org.lemmata.track.CellRecord;
import org.lemmata.track.Evidence;

/** The cells from which figures are judged at a budget, and the choice of a cell to compute again. */
public final class FigureEvidence {

    /** The time limit for computing a paper's chosen cells again, unless the user named the cell. */
    public static final long PATIENCE_SECONDS = 25;

    /**
     * The maximum recorded time of a cheap cell. Cheap cells can be computed whole within the quick budget of half a
     * minute, although a JVM that has just started takes ten times as long.
     */
    private static final double CHEAP_SECONDS = 0.5;

    private final Budget budget;
    private final List<FigureGrid> grids;
    private final Evidence evidence;
    private final Map<FigureGrid, FigureCells> cells = new HashMap<>();
    private final Map<String, Map<String, CellRecord>> records = new HashMap<>();

    public FigureEvidence(Budget budget, List<FigureClaim> claims, Evidence evidence) {
        this.budget = budget;
        this.grids = claims.stream().map(FigureClaim::grid).distinct().toList();
        this.evidence = evidence;
    }

    private static final long PART_SECONDS = 2;

    /**
     * A cell to compute again.
     *
     * @param cells all cells of the grid
     * @param record the cell's evidence
     * @param isPart whether to compute only its first steps
     */
    public record Choice(FigureGrid grid, FigureCells cells, CellRecord record, boolean isPart) {

        public double seconds() {
            return record.run().seconds();
        }

        /** Whether the recorded run took longer than {@link FigureEvidence#PATIENCE_SECONDS}. */
        public boolean isDear() {
            return seconds() > PATIENCE_SECONDS;
        }

        private boolean isCheap() {
            return seconds() <= CHEAP_SECONDS;
        }

        private boolean hasHashes() {
            return !record.run().hashes().isEmpty();
        }

        public Recomputation recompute(BooleanSupplier stop) throws IOException {
            int threads = cells.sweep().threads();
            List<CellRecord> seeds = cells.records().stream()
                    .filter(each -> each.axes().equals(record.axes()))
                    .toList();
            var begun = new Recomputation(cells.cell(record), record, seeds);
            if (!isPart) {
                return begun.run(threads, stop);
            }
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PART_SECONDS);
            return begun.runPart(threads, stop, () -> System.nanoTime() - end > 0);
        }
    }

    public Evidence evidence() {
        return evidence;
    }

    public FigureCells cells(FigureGrid grid) throws IOException {
        FigureCells known = cells.get(grid);
        if (known == null) {
            known = FigureCells.of(grid, budget, records(grid.paper()));
            cells.put(grid, known);
        }
        return known;
    }

    /** The records are cached at the quick budget, because it adds no evidence. */
    private Map<String, CellRecord> records(String paper) throws IOException {
        Map<String, CellRecord> all = budget == Budget.QUICK ? records.get(paper) : null;
        if (all == null) {
            all = evidence.read(paper);
            records.put(paper, all);
        }
        return all;
    }

    public boolean isRead(FigureGrid grid) {
        return cells.containsKey(grid);
    }

    /** Whether one of the figures has a record of a cell. */
    public boolean has(String cell) throws IOException {
        return !candidates(grids, cell).isEmpty();
    }

    /** The number of missing cells of a figure, and the command that computes them. */
    public String missing(FigureGrid grid) throws IOException {
        FigureCells known = cells(grid);
        int all = known.sweep().cells().size();
        return all - known.records().size() + " of " + all + " cells are not in "
                + FileTree.shown(evidence.file(grid.paper()))
                + ", or failed; lemmata verify " + grid.id() + " --budget "
                + known.sizes().label() + " makes them";
    }

    /**
     * A cell of a paper's figures to compute whole: the named cell, otherwise a random cheap cell, otherwise the
     * cheapest cell. Empty if no such cell is recorded.
     */
    public Optional<Choice> choose(String paper, @Nullable String cell) throws IOException {
        List<Choice> candidates = candidates(ofPaper(paper), cell);
        if (cell != null) {
            return candidates.stream().findFirst();
        }
        Optional<Choice> cheap =
                random(candidates.stream().filter(Choice::isCheap).toList());
        return cheap.isPresent() ? cheap : candidates.stream().min(Comparator.comparingDouble(Choice::seconds));
    }

    /** A random cell of a paper to compute in part: not a cheap cell, and with hashes of steps in its record. */
    public Optional<Choice> choosePart(String paper) throws IOException {
        return random(candidates(ofPaper(paper), null).stream()
                .filter(choice -> !choice.isCheap() && choice.hasHashes())
                .map(choice -> new Choice(choice.grid(), choice.cells(), choice.record(), true))
                .toList());
    }

    /**
     * The number of a paper's cells that are not cheap and cannot be compared in part, as text; empty if there are
     * none.
     */
    public String notInPart(String paper) throws IOException {
        List<Choice> all = candidates(ofPaper(paper), null);
        long without = all.stream()
                .filter(choice -> !choice.isCheap() && !choice.hasHashes())
                .count();
        return without == 0
                ? ""
                : without + " of " + all.size()
                        + String.format(
                                Locale.ROOT,
                                " cells took more than %s s and were recorded without hashes of their steps: they"
                                        + " cannot be recomputed in part; --cell computes one whole",
                                CHEAP_SECONDS);
    }

    private static Optional<Choice> random(List<Choice> choices) {
        return choices.isEmpty()
                ? Optional.empty()
                : Optional.of(choices.get(ThreadLocalRandom.current().nextInt(choices.size())));
    }

    private List<FigureGrid> ofPaper(String paper) {
        return grids.stream().filter(grid -> grid.paper().equals(paper)).toList();
    }

    /**
     * Whether this machine has the text that the cell requires, or the cell requires none. Lemmata includes no texts.
     */
    private static boolean hasText(CellRecord record) {
        return Optional.ofNullable(record.settings().get("task.text"))
                .map(Path::of)
                .map(Files::isDirectory)
                .orElse(true);
    }

    private List<Choice> candidates(List<FigureGrid> among, @Nullable String cell) throws IOException {
        var candidates = new ArrayList<Choice>();
        for (FigureGrid grid : among) {
            FigureCells known = cells(grid);
            known.records().stream()
                    .filter(record ->
                            cell == null ? hasText(record) : record.cell().equals(cell))
                    .forEach(record -> candidates.add(new Choice(grid, known, record, false)));
        }
        return candidates;
    }
}
