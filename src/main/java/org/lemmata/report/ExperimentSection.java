package org.lemmata.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.lemmata.claim.SeedRate;
import org.lemmata.report.plot.LinePlot;
import org.lemmata.report.plot.Lines;
import org.lemmata.report.plot.NumberText;
import org.lemmata.report.plot.Plot;
import org.lemmata.report.plot.SeriesStyle;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
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

    /**
     * The finished cells of one trial as a grid: one place per combination of settings, with one cell per seed.
     *
     * @param axes the axes with several values, and these values, in the order of the cells; without axes that change
     *     together with an earlier one
     * @param names the name of each axis, including the axes that change together with it
     * @param cells for each combination of the axes' values, in order, its cells, one per seed
     */
    record CellGrid(
            SequencedMap<String, List<String>> axes,
            Map<String, String> names,
            SequencedMap<Map<String, String>, List<CellRecord>> cells) {

        /** The minimum ratio of the largest to the smallest value of a logarithmic axis. */
        private static final double LOGARITHMIC = 8;

        /** The unit of measurements that count steps. Their intervals cannot extend below 0. */
        private static final String STEPS = "steps";

        /** Units of measurements that describe the run, not the model. */
        private static final Set<String> BOOKKEEPING = Set.of(STEPS, "tokens", "runs", "prefixes");

        private static final Pattern FAMILY = Pattern.compile("(.+)\\.(\\d+)");

        static CellGrid of(Collection<CellRecord> records) {
            var values = new LinkedHashMap<String, LinkedHashSet<String>>();
            records.forEach(record -> record.axes()
                    .forEach((axis, value) -> values.computeIfAbsent(axis, a -> new LinkedHashSet<>())
                            .add(value)));
            var axes = new LinkedHashMap<String, List<String>>();
            var names = new HashMap<String, String>();
            values.forEach((axis, distinct) -> {
                Optional<String> leader = axes.keySet().stream()
                        .filter(other -> goTogether(records, other, axis))
                        .findFirst();
                if (distinct.size() > 1 && leader.isEmpty()) {
                    axes.put(axis, sorted(distinct));
                    names.put(axis, axis);
                } else if (distinct.size() > 1) {
                    leader.ifPresent(other -> names.merge(other, ", with " + axis, String::concat));
                }
            });
            var unordered = new LinkedHashMap<Map<String, String>, List<CellRecord>>();
            for (CellRecord record : records) {
                var key = new LinkedHashMap<>(record.axes());
                key.keySet().retainAll(axes.keySet());
                unordered.computeIfAbsent(key, k -> new ArrayList<>()).add(record);
            }
            // Settings are ordered by the first axis in which they differ; those without a value on an axis come first.
            Comparator<Map<String, String>> order = (_, _) -> 0;
            for (Map.Entry<String, List<String>> axis : axes.entrySet()) {
                order = order.thenComparingInt(
                        setting -> axis.getValue().indexOf(setting.getOrDefault(axis.getKey(), "")));
            }
            var cells = new LinkedHashMap<Map<String, String>, List<CellRecord>>();
            unordered.entrySet().stream()
                    .sorted(Map.Entry.comparingByKey(order))
                    .forEach(entry -> cells.put(entry.getKey(), entry.getValue()));
            return new CellGrid(axes, names, cells);
        }

        private static boolean goTogether(Collection<CellRecord> records, String one, String other) {
            var forward = new HashMap<String, String>();
            var back = new HashMap<String, String>();
            return records.stream().allMatch(record -> {
                String a = record.axes().getOrDefault(one, "");
                String b = record.axes().getOrDefault(other, "");
                return forward.merge(a, b, (old, now) -> old).equals(b)
                        && back.merge(b, a, (old, now) -> old).equals(a);
            });
        }

        private static List<String> sorted(Collection<String> values) {
            if (values.stream().allMatch(CellGrid::isNumber)) {
                return values.stream()
                        .sorted(Comparator.comparingDouble(Double::parseDouble))
                        .toList();
            }
            return List.copyOf(values);
        }

        private static boolean isNumber(String text) {
            return text.matches("[-+]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][-+]?\\d+)?");
        }

        /** The values of an axis; empty if it has fewer than two. */
        List<String> values(String axis) {
            return axes.getOrDefault(axis, List.of());
        }

        List<String> numericAxes() {
            return axes.keySet().stream()
                    .filter(axis -> values(axis).stream().allMatch(CellGrid::isNumber))
                    .toList();
        }

        /**
         * The names of measurements that differ between cells and belong to no family; those about the run come last.
         */
        List<String> measured() {
            return names(false).stream()
                    .sorted(Comparator.comparing(name -> BOOKKEEPING.contains(unit(name))))
                    .toList();
        }

        /**
         * Families of names that differ only in a number at their end, such as {@code right.8} and {@code right.16}:
         * the common prefix and the numbers, ascending. The elements of a list have the numbers 0, 1, ...
         */
        SortedMap<String, NavigableSet<Integer>> families() {
            var families = new TreeMap<String, NavigableSet<Integer>>();
            all().forEach(measurement -> {
                Matcher parts = FAMILY.matcher(measurement.name());
                if (parts.matches()) {
                    families.computeIfAbsent(parts.group(1), any -> new TreeSet<>())
                            .add(Integer.valueOf(parts.group(2)));
                }
            });
            return families;
        }

        /**
         * The grid with a further axis for the numbers of a family. Its cells have one measurement of the family, under
         * the family's name.
         */
        CellGrid along(String family, String axis, Collection<Integer> numbers) {
            var records = new ArrayList<CellRecord>();
            records()
                    .forEach(record -> numbers.forEach(number -> record.measurement(family + "." + number)
                            .ifPresent(found -> {
                                var place = new LinkedHashMap<>(record.axes());
                                place.put(axis, Integer.toString(number));
                                records.add(record.withAxes(place).measured(List.of(found.named(family))));
                            })));
            return of(records);
        }

        List<String> constant() {
            return names(true);
        }

        private List<String> names(boolean constant) {
            var values = new LinkedHashMap<String, TreeSet<Double>>();
            all().filter(measurement -> !FAMILY.matcher(measurement.name()).matches())
                    .forEach(measurement -> values.computeIfAbsent(measurement.name(), name -> new TreeSet<>())
                            .add(measurement.value()));
            values.values().removeIf(distinct -> (distinct.size() == 1) != constant);
            return values.entrySet().stream()
                    .map(entry -> constant
                            ? entry.getKey() + " "
                                    + NumberText.of(entry.getValue().first())
                            : entry.getKey())
                    .toList();
        }

        private Stream<CellRecord> records() {
            return cells.values().stream().flatMap(List::stream);
        }

        private Stream<Measurement> all() {
            return records()
                    .flatMap(record -> record.measurements().stream())
                    .filter(measurement -> !measurement.unit().equals("completions"));
        }

        String unit(String measurement) {
            return records()
                    .flatMap(record -> record.measurement(measurement).stream())
                    .map(Measurement::unit)
                    .findFirst()
                    .orElse("");
        }

        /**
         * The mean over the seeds of one combination of settings, with its interval; empty if the measurement is
         * missing.
         */
        static Optional<Lines.Point> point(double x, List<CellRecord> seeds, String measurement) {
            List<Measurement> values = seeds.stream()
                    .flatMap(record -> record.measurement(measurement).stream())
                    .toList();
            if (values.isEmpty()) {
                return Optional.empty();
            }
            double[] numbers = values.stream().mapToDouble(Measurement::value).toArray();
            double mean = DoubleStream.of(numbers).average().orElse(Double.NaN);
            if (!Double.isFinite(mean)) {
                return Optional.of(Lines.Point.exact(x, Double.NaN));
            }
            Interval interval = interval(values, numbers);
            if (values.getFirst().unit().equals(STEPS)) {
                interval = new Interval(Math.max(0, interval.low()), interval.high());
            }
            return Optional.of(new Lines.Point(x, mean, interval.low(), interval.high()));
        }

        private static Interval interval(List<Measurement> values, double[] numbers) {
            if (values.stream().allMatch(CellGrid::isShare)) {
                return SeedRate.of(values).interval();
            }
            if (numbers.length > 1) {
                return Interval.mean(numbers);
            }
            Interval own = values.getFirst().interval();
            return Double.isNaN(own.low()) ? Interval.exact(numbers[0]) : own;
        }

        private static boolean isShare(Measurement value) {
            return value.unit().equals("probability")
                    && value.n() > 1
                    && value.n() < 100_000_000
                    && value.value() >= 0
                    && value.value() <= 1;
        }

        /** The scale of an axis: powers of two if its values are positive and span a large range, otherwise linear. */
        Lines.Axis axis(String axis) {
            double[] values =
                    values(axis).stream().mapToDouble(Double::parseDouble).toArray();
            double low = DoubleStream.of(values).min().orElse(0);
            double high = DoubleStream.of(values).max().orElse(0);
            Lines.Scale scale = low > 0 && high / low >= LOGARITHMIC ? Lines.Scale.LOG2 : Lines.Scale.LINEAR;
            return new Lines.Axis(axis, scale, low, high);
        }
    }
}
