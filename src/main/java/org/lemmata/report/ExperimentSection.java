package org.lemmata.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.lemmata.report.plot.Lines;
import org.lemmata.report.plot.NumberText;
import org.lemmata.report.plot.Plot;
import org.lemmata.report.plot.SeriesStyle;
import org.lemmata.track.CellRecord;

/** The cells of sweeps and of the evidence: each thing measured against each axis of numbers, the other axes beside. */
final class ExperimentSection {

    /** More lines than there are colours cannot be told apart. */
    private static final int MOST_LINES = SeriesStyle.COUNT;

    /** A page is looked at; what goes beyond is in the numbers below. */
    private static final int MOST_PANELS = 12;

    /** Losses that span more than this are read by their powers of ten. */
    private static final double LOGARITHMIC = 50;

    private static final int FAILURES_SHOWN = 20;

    /**
     * A file of cells.
     *
     * @param open whether its plots are seen at once
     * @param constant what is the same in all cells
     * @param failures why cells have no result
     */
    record Experiment(
            String title,
            String file,
            String summary,
            String constant,
            boolean open,
            List<Plot.Group> groups,
            List<String> failures,
            String moreFailures) {}

    private ExperimentSection() {}

    static List<Experiment> of(List<ReportInput.Cells> files) {
        var experiments = new ArrayList<Experiment>();
        for (ReportInput.Cells file : files) {
            var trials = new LinkedHashMap<String, List<CellRecord>>();
            file.records()
                    .forEach(record -> trials.computeIfAbsent(record.trial(), t -> new ArrayList<>())
                            .add(record));
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
        var groups = new ArrayList<Plot.Group>();
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

    /** A family of names as curves over their numbers, and at the largest one; of a list as curves alone. */
    private static List<Plot.Group> ofFamily(CellGrid grid, String family, NavigableSet<Integer> numbers) {
        boolean isList = numbers.first() == 0;
        String axis = isList ? "index" : "T";
        var groups = new ArrayList<Plot.Group>();
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

    /** One measurement against one axis: a second axis is the lines, further ones the panels. */
    private static Plot.Group group(CellGrid grid, String measurement, String axis) {
        List<String> others = grid.axes().keySet().stream()
                .filter(other -> !other.equals(axis))
                .toList();
        List<String> lineAxes = others.stream()
                .filter(other -> values(grid, other).size() <= MOST_LINES)
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
                    String panel = told(
                            setting,
                            others.stream()
                                    .filter(other -> !lineAxes.contains(other))
                                    .toList());
                    panels.computeIfAbsent(panel, p -> new LinkedHashMap<>())
                            .computeIfAbsent(told(setting, lineAxes), l -> new ArrayList<>())
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
        Lines.Axis range = range(panels);
        List<Lines> drawn = panels.entrySet().stream()
                .sorted(Map.Entry.comparingByKey(ExperimentSection::compareNumbers))
                .map(panel -> lines(grid, measurement, axis, panel.getKey(), panel.getValue(), names, range))
                .toList();
        var columns = new ArrayList<>(grid.axes().keySet());
        columns.addAll(List.of("seeds", measurement, "low", "high"));
        String title = measurement + " by " + axis;
        String hidden = drawn.size() > MOST_PANELS
                ? " " + (drawn.size() - MOST_PANELS) + " more panels are in the numbers."
                : "";
        return new Plot.Group(
                title,
                "Means over seeds with nominal 95% intervals." + hidden,
                drawn.stream().limit(MOST_PANELS).map(Lines::panel).toList(),
                names.size() < 2 ? List.of() : SeriesStyle.legend(names, true),
                new Plot.Table(columns, rows));
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
     * The settings of some axes: {@code layers 4, heads 2}; the last part of a dotted path tells enough where it is
     * alone.
     */
    private static String told(Map<String, String> setting, List<String> axes) {
        var names = new LinkedHashSet<String>();
        boolean distinct = axes.stream().allMatch(axis -> names.add(last(axis)));
        return axes.stream()
                .map(axis -> (distinct ? last(axis) : axis) + " " + setting.getOrDefault(axis, ""))
                .collect(Collectors.joining(", "));
    }

    private static String last(String axis) {
        return axis.substring(axis.lastIndexOf('.') + 1);
    }

    /** As people sort: 2 before 16. */
    private static int compareNumbers(String a, String b) {
        return padded(a).compareTo(padded(b));
    }

    private static String padded(String text) {
        return Pattern.compile("\\d+")
                .matcher(text)
                .replaceAll(number -> "0".repeat(Math.max(0, 20 - number.group().length())) + number.group());
    }

    /** Panels side by side have one axis, which holds all their intervals. */
    private static Lines.Axis range(Map<String, Map<String, List<Lines.Point>>> panels) {
        double[] values = panels.values().stream()
                .flatMap(lines -> lines.values().stream())
                .flatMap(List::stream)
                .flatMapToDouble(point -> DoubleStream.of(point.y(), point.low(), point.high()))
                .filter(Double::isFinite)
                .toArray();
        double low = DoubleStream.of(values).min().orElse(Double.NaN);
        double high = DoubleStream.of(values).max().orElse(Double.NaN);
        return new Lines.Axis(
                "", low > 0 && high / low >= LOGARITHMIC ? Lines.Scale.LOG10 : Lines.Scale.LINEAR, low, high);
    }
}
