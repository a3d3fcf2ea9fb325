package org.lemmata.claim;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.lemmata.track.CellRecord;
import org.lemmata.track.Evidence;

/** The cells that some figures are judged from at a budget, and which of them is computed again. */
public final class FigureEvidence {

    /** A slower machine gives up then. */
    public static final long PATIENCE_SECONDS = 25;

    /**
     * A cell that took longer, in seconds, is not drawn unless all did: the quick budget has half a minute for a paper.
     */
    private static final double CHEAP_SECONDS = 8;

    private final Budget budget;
    private final List<FigureGrid> grids;
    private final Evidence evidence;
    private final Map<FigureGrid, FigureCells> cells = new HashMap<>();

    /** @param claims the figures that are judged */
    public FigureEvidence(Budget budget, List<FigureClaim> claims, Evidence evidence) {
        this.budget = budget;
        this.grids = claims.stream().map(FigureClaim::grid).distinct().toList();
        this.evidence = evidence;
    }

    /**
     * A cell to compute again.
     *
     * @param cells the grid that it is of
     * @param record what the evidence has of it
     */
    public record Choice(FigureGrid grid, FigureCells cells, CellRecord record) {

        /** How long it took. */
        public double seconds() {
            return record.run().seconds();
        }

        /** Whether it takes longer than the quick budget has. */
        public boolean isDear() {
            return seconds() > PATIENCE_SECONDS;
        }

        /** Computes it. */
        public Recomputation recompute(BooleanSupplier stop) throws IOException {
            return Recomputation.of(cells.cell(record), record, cells.sweep().threads(), stop);
        }
    }

    public Evidence evidence() {
        return evidence;
    }

    /** The cells of a figure that there are. */
    public FigureCells cells(FigureGrid grid) throws IOException {
        FigureCells known = cells.get(grid);
        if (known == null) {
            known = FigureCells.of(grid, budget, evidence.read(grid.paper()));
            cells.put(grid, known);
        }
        return known;
    }

    /** Whether the cells of a figure were read. */
    public boolean isRead(FigureGrid grid) {
        return cells.containsKey(grid);
    }

    /** Whether a cell is among those of the figures. */
    public boolean has(String cell) throws IOException {
        return !candidates(grids, cell).isEmpty();
    }

    /** What is missing of a figure, and how it is made. */
    public String missing(FigureGrid grid) throws IOException {
        FigureCells known = cells(grid);
        int all = known.sweep().cells().size();
        return all - known.records().size() + " of " + all + " cells are not in " + evidence.file(grid.paper())
                + ", or failed; lemmata verify " + grid.id() + " --budget "
                + known.sizes().label() + " makes them";
    }

    /**
     * A cell of a paper's figures: the one that is named; else a random one of the cheap ones, or the cheapest where
     * none is cheap. None where there is no evidence.
     */
    public Optional<Choice> choose(String paper, @Nullable String cell) throws IOException {
        List<Choice> candidates = candidates(
                grids.stream().filter(grid -> grid.paper().equals(paper)).toList(), cell);
        if (cell != null) {
            return candidates.stream().findFirst();
        }
        List<Choice> cheap = candidates.stream()
                .filter(choice -> choice.seconds() <= CHEAP_SECONDS)
                .toList();
        return cheap.isEmpty()
                ? candidates.stream().min(Comparator.comparingDouble(Choice::seconds))
                : Optional.of(cheap.get(ThreadLocalRandom.current().nextInt(cheap.size())));
    }

    private List<Choice> candidates(List<FigureGrid> among, @Nullable String cell) throws IOException {
        var candidates = new ArrayList<Choice>();
        for (FigureGrid grid : among) {
            FigureCells known = cells(grid);
            known.records().stream()
                    .filter(record -> cell == null || record.cell().equals(cell))
                    .forEach(record -> candidates.add(new Choice(grid, known, record)));
        }
        return candidates;
    }
}
