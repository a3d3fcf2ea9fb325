package org.lemmata.claim;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.lemmata.argument.Refuse;
import org.lemmata.sweep.Cell;
import org.lemmata.sweep.Sweep;
import org.lemmata.sweep.SweepDirectory;
import org.lemmata.track.CellRecord;

/**
 * Cells of a user's sweep that are judged in place of the figure's own cells.
 *
 * @param cells the cells with one combination of values on the axes that the figure's grid lacks
 * @param apart the axes that the figure's grid lacks, with their values
 * @param others the settings with values that no cell of the figure's grid has, as text
 * @param known the axes of the figure's grid with the values of these cells
 */
public record OwnCells(
        FigureCells cells, SequencedMap<String, String> apart, String others, SequencedMap<String, Set<String>> known) {

    private static final String SEED = "seed";

    /**
     * The cells of a directory: one group for each combination of values on the axes that the figure's grid lacks.
     *
     * @throws IllegalArgumentException if the directory has no complete sweep of several seeds with the figure's kind
     *     of trial and one of its tasks
     */
    public static List<OwnCells> of(FigureGrid grid, Path directory) throws IOException {
        Path file = directory.resolve(SweepDirectory.SWEEP);
        Refuse.when(
                !Files.exists(file), "--cells", "the directory of a sweep, with its " + file.getFileName(), directory);
        Sweep sweep = Sweep.read(file, List.of(), Sweep.FULL);
        Map<String, CellRecord> records = SweepDirectory.recorded(directory);
        records.values().removeIf(record -> record.status() != CellRecord.Status.DONE);
        long done = sweep.cells().stream()
                .filter(cell -> records.containsKey(cell.id()))
                .count();
        Refuse.when(
                done < sweep.cells().size(),
                "--cells",
                "all " + sweep.cells().size() + " cells of " + file + " (lemmata sweep " + file + " --out " + directory
                        + " computes the others)",
                done + " of them");
        List<Cell> figure = cells(grid);
        Refuse.when(
                !sweep.trial().equals(figure.getFirst().trial()),
                "--cells",
                "cells of " + figure.getFirst().trial() + ", which " + grid.id() + " needs",
                "cells of " + sweep.trial());
        Refuse.when(
                sweep.cells().stream().mapToLong(Cell::seed).distinct().count() == 1,
                "--cells",
                "at least 2 seeds, because runs of one seed have no interval",
                1);
        Map<String, Set<String>> axes = values(figure.stream().map(Cell::axes).toList());
        Map<String, Set<String>> settings =
                values(figure.stream().map(Cell::settings).toList());
        Set<String> tasks = new TreeSet<>(figure.stream().map(OwnCells::task).toList());
        var groups = new LinkedHashMap<SequencedMap<String, String>, List<Cell>>();
        for (Cell cell : sweep.cells()) {
            var apart = new LinkedHashMap<>(cell.axes());
            apart.keySet().removeAll(axes.keySet());
            apart.remove(SEED);
            groups.computeIfAbsent(apart, any -> new ArrayList<>()).add(cell);
        }
        var own = new ArrayList<OwnCells>();
        groups.forEach((apart, some) -> {
            if (!some.stream().map(OwnCells::task).allMatch(tasks::contains)) {
                return;
            }
            List<LinkedHashMap<String, String>> ofSome =
                    some.stream().map(Cell::settings).toList();
            SequencedMap<String, Set<String>> known = values(ofSome);
            known.keySet().retainAll(axes.keySet());
            known.remove(SEED);
            SequencedMap<String, Set<String>> others = values(ofSome);
            others.forEach((key, values) -> values.removeAll(settings.getOrDefault(key, Set.of())));
            others.values().removeIf(Set::isEmpty);
            others.remove(SEED);
            var cells = new FigureCells(
                    Budget.QUICK,
                    sweep.withCells(some),
                    some.stream().map(cell -> records.get(cell.id())).toList());
            own.add(new OwnCells(cells, apart, text(others), known));
        });
        Refuse.when(
                own.isEmpty(),
                "--cells",
                "cells of the task " + String.join(" or ", tasks) + ", which " + grid.id() + " needs",
                "cells of " + task(sweep.cells().getFirst()));
        return own;
    }

    private static String task(Cell cell) {
        return cell.settings().getOrDefault("task.name", "text");
    }

    private static List<Cell> cells(FigureGrid grid) throws IOException {
        var cells = new ArrayList<Cell>();
        for (Budget size : grid.sizes()) {
            cells.addAll(grid.sweep(size).cells());
        }
        return cells;
    }

    private static SequencedMap<String, Set<String>> values(List<? extends Map<String, String>> all) {
        var values = new TreeMap<String, Set<String>>();
        all.forEach(each -> each.forEach((key, value) ->
                values.computeIfAbsent(key, any -> new TreeSet<>()).add(value)));
        return values;
    }

    private static String text(Map<String, Set<String>> values) {
        return values.entrySet().stream()
                .map(each -> each.getKey() + " = " + String.join(", ", each.getValue()))
                .collect(Collectors.joining("; "));
    }

    String range(Path directory) {
        return cells.records().size() + " cells of " + directory + ", "
                + cells.seeds().size() + " seeds: " + text(known)
                + (others.isEmpty() ? "" : "; other than in the figure's own: " + others);
    }

    IllegalArgumentException missing(String claim) {
        return new IllegalArgumentException(
                "--cells: expected all cells that " + claim + " compares, got those of " + text(known));
    }
}
