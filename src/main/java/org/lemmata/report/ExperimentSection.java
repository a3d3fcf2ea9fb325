package org.lemmata.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
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
     * @param failures the errors of failed cells, up to {@link #FAILURES_SHOWN}
     */
    record Experiment(
            String title,
            String file,
            String summary,
            String constant,
            boolean open,
            List<Drawn> drawn,
            List<String> failures,
            String moreFailures) {

        List<Plot.Group> groups() {
            return drawn.stream().map(Drawn::group).toList();
        }
    }

    /**
     * Plots of one measurement against one axis.
     *
     * @param lines the lines of each panel, including panels that the page omits
     */
    record Drawn(Plot.Group group, List<Lines> lines) {}

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
        var groups = new ArrayList<Drawn>();
        grid.families().forEach((family, numbers) -> groups.addAll(ofFamily(grid, family, numbers)));
        for (String measurement : grid.measured()) {
            for (String axis : grid.numericAxes()) {
                groups.add(group(grid, measurement, axis));
            }
        }
        long seeds = records.stream().map(CellRecord::seed).distinct().count();
        String summary = count(done.size(), "finished cell") + ", "
                + (failures.isEmpty() ? "" : failures.size() + " failed, ")
                + count(Math.toIntExact(seeds), "seed")
                + (grid.axes().isEmpty()
                        ? ""
                        : "; axes: "
                                + String.join(
                                        "; ",
                                        grid.names().values().stream().sorted().toList()));
        int hidden = Math.max(0, failures.size() - FAILURES_SHOWN);
        return new Experiment(
                file.name() + ": " + trial,
                file.file(),
                summary,
                String.join(", ", grid.constant()),
                file.open(),
                groups,
                failures.subList(0, failures.size() - hidden),
                hidden == 0 ? "" : hidden + " more failed");
    }

    /**
     * The plots of a family: curves over its numbers; also the values at its largest number, unless the family is a
     * list.
     */
    private static List<Drawn> ofFamily(CellGrid grid, String family, NavigableSet<Integer> numbers) {
        boolean isList = numbers.first() == 0;
        String axis = isList ? "index" : "T";
        var groups = new ArrayList<Drawn>();
        if (numbers.size() > 1) {
            groups.add(group(grid.along(family, axis, numbers), family, axis));
        }
        if (!isList) {
            grid.numericAxes().forEach(other -> groups.add(group(grid, family + "." + numbers.last(), other)));
        }
        return groups;
    }

    private static String count(int count, String noun) {
        return NumberText.of(count) + " " + noun + (count == 1 ? "" : "s");
    }

    /**
     * The plots of one measurement against one axis; a second axis distinguishes lines, and further axes distinguish
     * panels.
     */
    private static Drawn group(CellGrid grid, String measurement, String axis) {
        List<String> others = grid.axes().keySet().stream()
                .filter(other -> !other.equals(axis))
                .toList();
        List<String> lineAxes = others.stream()
                .filter(other -> values(grid, other).size() <= MAX_LINES)
                .max(Comparator.comparingInt(other -> values(grid, other).size()))
                .map(List::of)
                .orElse(List.of());
        var panels = new LinkedHashMap<String, Map<String, List<Lines.Point>>>();
        var rows = new ArrayList<List<String>>();
        for (String x : values(grid, axis)) {
            grid.cells().forEach((setting, seeds) -> {
                if (!x.equals(setting.get(axis))) {
                    return;
                }
                CellGrid.point(Double.parseDouble(x), seeds, measurement).ifPresent(point -> {
                    String panel = text(
                            setting,
                            others.stream()
                                    .filter(other -> !lineAxes.contains(other))
                                    .toList());
                    panels.computeIfAbsent(panel, p -> new LinkedHashMap<>())
                            .computeIfAbsent(text(setting, lineAxes), l -> new ArrayList<>())
                            .add(point);
                    rows.add(row(grid, setting, seeds, point));
                });
            });
        }
        List<String> names = panels.values().stream()
                .flatMap(panel -> panel.keySet().stream())
                .distinct()
                .sorted(ExperimentSection::compareNumbers)
                .toList();
        Lines.Axis range = range(panels, LOSSES.contains(grid.unit(measurement)));
        List<Lines> drawn = panels.entrySet().stream()
                .sorted(Map.Entry.comparingByKey(ExperimentSection::compareNumbers))
                .map(panel -> lines(grid, measurement, axis, panel.getKey(), panel.getValue(), names, range))
                .toList();
        var columns = new ArrayList<>(grid.axes().keySet());
        columns.addAll(List.of("seeds", measurement, "low", "high"));
        String title = measurement + " by " + axis;
        String hidden =
                drawn.size() > MAX_PANELS ? " " + (drawn.size() - MAX_PANELS) + " more panels are in the numbers." : "";
        return new Drawn(
                new Plot.Group(
                        title,
                        "Means over seeds with nominal 95% intervals." + hidden,
                        drawn.stream().limit(MAX_PANELS).map(Lines::panel).toList(),
                        names.size() < 2 ? List.of() : SeriesStyle.legend(names, true),
                        new Plot.Table(columns, rows)),
                drawn.stream()
                        .map(each -> each.titled(each.title().isEmpty() ? title : title + ": " + each.title()))
                        .toList());
    }

    private static List<String> values(CellGrid grid, String axis) {
        return grid.axes().getOrDefault(axis, List.of());
    }

    private static List<String> row(
            CellGrid grid, Map<String, String> setting, List<CellRecord> seeds, Lines.Point point) {
        var row = new ArrayList<String>();
        grid.axes().keySet().forEach(axis -> row.add(setting.getOrDefault(axis, "")));
        row.add(NumberText.of(seeds.size()));
        row.addAll(List.of(NumberText.of(point.y()), NumberText.of(point.low()), NumberText.of(point.high())));
        return row;
    }

    private static Lines lines(
            CellGrid grid,
            String measurement,
            String axis,
            String panel,
            Map<String, List<Lines.Point>> byLine,
            List<String> names,
            Lines.Axis range) {
        String unit = grid.unit(measurement);
        return new Lines(
                panel,
                "",
                grid.axis(axis),
                new Lines.Axis(
                        measurement + (unit.isEmpty() ? "" : ", " + unit), range.scale(), range.low(), range.high()),
                byLine.entrySet().stream()
                        .sorted(Map.Entry.comparingByKey(ExperimentSection::compareNumbers))
                        .map(line -> new Lines.Line(
                                line.getKey().isEmpty() ? measurement : line.getKey(),
                                names.indexOf(line.getKey()),
                                line.getValue()))
                        .toList());
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

    /** Compares texts, and numbers in them by value: 2 before 16. */
    private static int compareNumbers(String a, String b) {
        return padded(a).compareTo(padded(b));
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
    private static Lines.Axis range(Map<String, Map<String, List<Lines.Point>>> panels, boolean losses) {
        List<Lines.Point> points = panels.values().stream()
                .flatMap(lines -> lines.values().stream())
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
        return new Lines.Axis("", logarithmic ? Lines.Scale.LOG10 : Lines.Scale.LINEAR, low, high);
    }
}
