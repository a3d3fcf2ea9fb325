package org.lemmata.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.lemmata.report.plot.LinePlot;
import org.lemmata.report.plot.Lines;
import org.lemmata.report.plot.NumberText;
import org.lemmata.report.plot.Plot;
import org.lemmata.report.plot.SeriesStyle;
import org.lemmata.track.CellRecord;

/**
 * The page's section of cells, from sweeps and from the evidence: plots of each measurement against each numeric axis,
 * with the other axes as lines and panels.
 */
final class ExperimentSection {

    /** The maximum number of lines in a plot, equal to the number of distinct colours. */
    private static final int MAX_LINES = SeriesStyle.COUNT;

    /** The maximum number of panels; the table below them has all values. */
    private static final int MAX_PANELS = 12;

    /** The minimum ratio of the largest to the smallest value of a logarithmic axis. */
    private static final double LOGARITHMIC = 50;

    /** The units of losses. Their axes are logarithmic if all values are positive. */
    private static final Set<String> LOSSES = Set.of("nats", "squared error");

    private static final int FAILURES_SHOWN = 20;

    /**
     * The section of one trial in a file of cells.
     *
     * @param open whether its plots are initially visible
     * @param constant measurements that are equal in all cells
     * @param lines all plots, including panels that the groups omit
     * @param failures the errors of failed cells, up to {@link #FAILURES_SHOWN}
     */
    record Experiment(
            String title,
            String file,
            String summary,
            String constant,
            boolean open,
            List<Plot.Group> groups,
            List<Lines> lines,
            List<String> failures,
            String moreFailures) {}

    /** Orders texts, and numbers in them by value: 2 before 16. */
    private static final Comparator<String> BY_NUMBERS =
            Comparator.comparing(ExperimentSection::padded).thenComparing(Comparator.naturalOrder());

    private final List<Plot.Group> groups = new ArrayList<>();
    private final List<Lines> lines = new ArrayList<>();

    private ExperimentSection() {}

    static List<Experiment> of(List<ReportInput.Cells> files) {
        var experiments = new ArrayList<Experiment>();
        for (ReportInput.Cells file : files) {
            Map<String, List<CellRecord>> trials = file.records().stream()
                    .collect(Collectors.groupingBy(CellRecord::trial, LinkedHashMap::new, Collectors.toList()));
            trials.forEach((trial, records) -> experiments.add(experiment(file, trial, records)));
        }
        return experiments;
    }

    private static Experiment experiment(ReportInput.Cells file, String trial, List<CellRecord> records) {
        List<CellRecord> done = records.stream()
                .filter(record -> record.status() == CellRecord.Status.DONE)
                .toList();
        List<String> failures = records.stream()
                .filter(record -> record.status() == CellRecord.Status.FAILED)
                .map(record -> record.cell() + ": " + record.reason())
                .toList();
        CellGrid grid = CellGrid.of(done);
        var section = new ExperimentSection();
        grid.families().forEach((family, numbers) -> section.drawFamily(grid, family, numbers));
        grid.measured()
                .forEach(measurement -> grid.numericAxes().forEach(axis -> section.draw(grid, measurement, axis)));
        long seeds = records.stream().map(CellRecord::seed).distinct().count();
        String summary = count(done.size(), "finished cell") + ", "
                + (failures.isEmpty() ? "" : failures.size() + " failed, ")
                + count(Math.toIntExact(seeds), "seed")
                + (grid.axes().isEmpty()
                        ? ""
                        : "; axes: "
                                + String.join("; ", new TreeSet<>(grid.names().values())));
        int hidden = Math.max(0, failures.size() - FAILURES_SHOWN);
        return new Experiment(
                file.name() + ": " + trial,
                file.file(),
                summary,
                String.join(", ", grid.constant()),
                file.open(),
                section.groups,
                section.lines,
                failures.subList(0, failures.size() - hidden),
                hidden == 0 ? "" : hidden + " more failed");
    }

    /** Draws a family: curves over its numbers; also the values at its largest number, unless the family is a list. */
    private void drawFamily(CellGrid grid, String family, NavigableSet<Integer> numbers) {
        boolean isList = numbers.first() == 0;
        String axis = isList ? "index" : "T";
        if (numbers.size() > 1) {
            draw(grid.along(family, axis, numbers), family, axis);
        }
        if (!isList) {
            grid.numericAxes().forEach(other -> draw(grid, family + "." + numbers.last(), other));
        }
    }

    private static String count(int count, String noun) {
        return NumberText.of(count) + " " + noun + (count == 1 ? "" : "s");
    }

    /**
     * Draws one measurement against one axis; a second axis distinguishes lines, and further axes distinguish panels.
     */
    private void draw(CellGrid grid, String measurement, String axis) {
        var panelAxes = new ArrayList<>(grid.axes().keySet());
        panelAxes.remove(axis);
        List<String> lineAxes = panelAxes.stream()
                .filter(other -> grid.values(other).size() <= MAX_LINES)
                .max(Comparator.comparingInt(other -> grid.values(other).size()))
                .map(List::of)
                .orElse(List.of());
        panelAxes.removeAll(lineAxes);
        var panels = new TreeMap<String, SortedMap<String, List<Lines.Point>>>(BY_NUMBERS);
        var rows = new ArrayList<List<String>>();
        for (String x : grid.values(axis)) {
            grid.cells().forEach((setting, seeds) -> {
                if (!x.equals(setting.get(axis))) {
                    return;
                }
                CellGrid.point(Double.parseDouble(x), seeds, measurement).ifPresent(point -> {
                    panels.computeIfAbsent(text(setting, panelAxes), p -> new TreeMap<>(BY_NUMBERS))
                            .computeIfAbsent(text(setting, lineAxes), l -> new ArrayList<>())
                            .add(point);
                    rows.add(row(grid, setting, seeds, point));
                });
            });
        }
        List<String> names = panels.values().stream()
                .flatMap(panel -> panel.keySet().stream())
                .distinct()
                .sorted(BY_NUMBERS)
                .toList();
        String unit = grid.unit(measurement);
        Lines.Axis y = range(measurement + (unit.isEmpty() ? "" : ", " + unit), panels.values(), LOSSES.contains(unit));
        var drawn = new ArrayList<Lines>();
        panels.forEach((panel, byLine) -> {
            var ofPanel = new ArrayList<Lines.Line>();
            byLine.forEach((line, points) ->
                    ofPanel.add(new Lines.Line(line.isEmpty() ? measurement : line, names.indexOf(line), points)));
            drawn.add(new Lines(panel, grid.axis(axis), y, ofPanel));
        });
        var columns = new ArrayList<>(grid.axes().keySet());
        columns.addAll(List.of("seeds", measurement, "low", "high"));
        String title = measurement + " by " + axis;
        String hidden =
                drawn.size() > MAX_PANELS ? " " + (drawn.size() - MAX_PANELS) + " more panels are in the numbers." : "";
        groups.add(new Plot.Group(
                title,
                "Means over seeds with nominal 95% intervals." + hidden,
                drawn.stream()
                        .limit(MAX_PANELS)
                        .map(panel -> Plot.ofGroup(panel.title(), LinePlot.svg(panel)))
                        .toList(),
                names.size() < 2 ? List.of() : SeriesStyle.legend(names, true),
                new Plot.Table(columns, rows)));
        drawn.forEach(each -> lines.add(each.titled(each.title().isEmpty() ? title : title + ": " + each.title())));
    }

    private static List<String> row(
            CellGrid grid, Map<String, String> setting, List<CellRecord> seeds, Lines.Point point) {
        var row = new ArrayList<String>();
        grid.axes().keySet().forEach(axis -> row.add(setting.getOrDefault(axis, "")));
        row.add(NumberText.of(seeds.size()));
        row.addAll(List.of(NumberText.of(point.y()), NumberText.of(point.low()), NumberText.of(point.high())));
        return row;
    }

    /**
     * The values of some axes as text: {@code layers 4, heads 2}. Axes are named by the last parts of their paths if
     * these all differ, otherwise by their whole paths.
     */
    private static String text(Map<String, String> setting, List<String> axes) {
        var names = new LinkedHashSet<String>();
        boolean distinct = axes.stream().allMatch(axis -> names.add(last(axis)));
        return axes.stream()
                .map(axis -> (distinct ? last(axis) : axis) + " " + setting.getOrDefault(axis, ""))
                .collect(Collectors.joining(", "));
    }

    private static String last(String axis) {
        return axis.substring(axis.lastIndexOf('.') + 1);
    }

    private static String padded(String text) {
        return Pattern.compile("\\d+")
                .matcher(text)
                .replaceAll(number -> "0".repeat(Math.max(0, 20 - number.group().length())) + number.group());
    }

    /**
     * The common axis of panels side by side. It contains all their intervals; for losses, the parts of intervals above
     * 0.
     */
    private static Lines.Axis range(
            String label, Collection<SortedMap<String, List<Lines.Point>>> panels, boolean losses) {
        List<Lines.Point> points = panels.stream()
                .flatMap(panel -> panel.values().stream())
                .flatMap(List::stream)
                .toList();
        boolean positive = losses && points.stream().noneMatch(point -> point.y() <= 0);
        double[] values = points.stream()
                .flatMapToDouble(point -> DoubleStream.of(point.y(), point.low(), point.high()))
                .filter(value -> Double.isFinite(value) && !(positive && value <= 0))
                .toArray();
        double low = DoubleStream.of(values).min().orElse(Double.NaN);
        double high = DoubleStream.of(values).max().orElse(Double.NaN);
        boolean logarithmic = positive || (low > 0 && high / low >= LOGARITHMIC);
        return new Lines.Axis(label, logarithmic ? Lines.Scale.LOG10 : Lines.Scale.LINEAR, low, high);
    }
}
