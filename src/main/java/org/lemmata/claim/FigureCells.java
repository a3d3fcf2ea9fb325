package org.lemmata.claim;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.Cell;
import org.lemmata.sweep.Sweep;
import org.lemmata.track.CellRecord;

/**
 * The cells from which a figure is judged.
 *
 * @param sizes standard for the reduced sizes, full for the paper's, medium for sizes in between, quick for own cells
 * @param sweep the grid of all cells
 * @param records the recorded cells, in the order of the grid
 */
public record FigureCells(Budget sizes, Sweep sweep, List<CellRecord> records) {

    private static final int HASH_DIGITS = 10;

    public FigureCells {
        records = List.copyOf(records);
    }

    /**
     * The recorded cells of a grid. For the quick budget, the largest size whose cells are all recorded; if there is
     * none, the smallest size.
     *
     * @param evidence records by the cell's id
     * @throws IOException if the grid's file cannot be read
     */
    public static FigureCells of(FigureGrid grid, Budget budget, Map<String, CellRecord> evidence) throws IOException {
        if (budget == Budget.QUICK) {
            for (Budget size : grid.sizes()) {
                Optional<Sweep> sweep = grid.sweep(size.label(), evidence::containsKey);
                if (sweep.isPresent()) {
                    return of(size, sweep.get(), evidence);
                }
            }
            return of(grid, grid.sizes().getLast(), evidence);
        }
        return of(budget, grid.sweep(budget), evidence);
    }

    private static FigureCells of(Budget sizes, Sweep sweep, Map<String, CellRecord> evidence) {
        List<CellRecord> records = sweep.cells().stream()
                .map(cell -> evidence.get(cell.id()))
                .filter(Objects::nonNull)
                .toList();
        return new FigureCells(sizes, sweep, records);
    }

    public boolean isComplete() {
        return records.size() == sweep.cells().size();
    }

    public Cell cell(CellRecord record) {
        return sweep.cells().stream()
                .filter(cell -> cell.id().equals(record.cell()))
                .findFirst()
                .orElseThrow();
    }

    /**
     * A measurement of a run; {@code lost} if the run diverged and therefore lacks the measurement.
     *
     * @throws IllegalArgumentException if the run did not diverge and lacks the measurement
     */
    public static double value(CellRecord run, String name, double lost) {
        if (run.measurement(name).isEmpty() && !isDiverged(run)) {
            throw new IllegalArgumentException("--cells: expected cells with the measurement " + name + ", got cell "
                    + run.cell() + " without it");
        }
        return run.measurement(name).map(Measurement::value).orElse(lost);
    }

    public static boolean isDiverged(CellRecord run) {
        return run.measurement("diverged").filter(runs -> runs.value() == 1).isPresent();
    }

    /**
     * The runs of one model.
     *
     * @throws IllegalArgumentException if several runs have the same seed, because they are of several models
     */
    public static List<CellRecord> ofOneModel(List<CellRecord> runs) {
        by(runs, CellRecord::seed).values().forEach(same -> {
            if (same.size() > 1) {
                var keys = new TreeSet<>(same.getFirst().axes().keySet());
                keys.removeIf(key ->
                        by(same, run -> run.axes().getOrDefault(key, "")).size() == 1);
                throw new IllegalArgumentException("--cells: expected one run per seed of each compared model, got "
                        + same.size() + " that differ in " + String.join(", ", keys));
            }
        });
        return runs;
    }

    public <K> SortedMap<K, List<CellRecord>> by(Function<CellRecord, K> key) {
        return by(records, key);
    }

    public static <K> SortedMap<K, List<CellRecord>> by(List<CellRecord> records, Function<CellRecord, K> key) {
        return records.stream().collect(Collectors.groupingBy(key, TreeMap::new, Collectors.toList()));
    }

    /** The distinct seeds of the records, in increasing order. */
    public List<Long> seeds() {
        return List.copyOf(new TreeSet<>(records.stream().map(CellRecord::seed).toList()));
    }

    String origin() {
        var parts = new ArrayList<String>();
        parts.add(records.size() + " of " + sweep.cells().size() + " cells from evidence");
        Stream.of("commit", "simd", "jdk").forEach(key -> {
            var values = new TreeSet<>(records.stream()
                    .map(record -> record.run().environment().getOrDefault(key, "unknown"))
                    .map(value -> key.equals("commit") ? shortened(value) : value)
                    .toList());
            if (!values.isEmpty()) {
                parts.add(key + " " + String.join(" and ", values));
            }
        });
        return String.join(", ", parts);
    }

    static String shortened(String commit) {
        int dash = commit.indexOf('-');
        String hash = dash < 0 ? commit : commit.substring(0, dash);
        String rest = dash < 0 ? "" : commit.substring(dash);
        return hash.substring(0, Math.min(HASH_DIGITS, hash.length())) + rest;
    }
}
