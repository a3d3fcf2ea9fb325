package org.lemmata.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.lemmata.report.plot.LinePlot;
import org.lemmata.report.plot.Lines;
import org.lemmata.report.plot.Plot;
import org.lemmata.track.BenchmarkRow;

/**
 * The page's plots of speed against length with logarithmic axes, one per class of benchmarks that were measured at
 * three or more lengths; for training and test lengths, also plots of other counters.
 */
final class LengthSection {

    private static final int MIN_VALUES = 3;

    private static final Set<String> LENGTHS = Set.of(
            "length",
            "columns",
            "tokens",
            "positions",
            "context",
            "maxLength",
            "sequence",
            "trainLength",
            "testLength");

    /** Counters with separate plots, by the parameter on the horizontal axis. */
    private static final Map<String, List<String>> COUNTERS = Map.of(
            "trainLength", List.of("trainTokensPerSecond"), "testLength", List.of("testTokensPerSecond", "testLoss"));

    /** Several sizes in one parameter, such as {@code SOFTMAX:1x8x1024x64}. */
    private static final Pattern SIZES = Pattern.compile("(?:[A-Za-z_]+:)?\\d{1,9}(?:x\\d{1,9})+");

    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");
    private static final String TOKENS = "tokens";

    /**
     * The properties that all lines of a plot share.
     *
     * @param counter the plotted counter; empty for the score
     */
    private record Axis(String benchmarkClass, String mode, String unit, String counter, String label) {}

    private record Key(Axis axis, String name) {}

    private final Map<Key, NavigableMap<Double, Lines.Point>> lines = new LinkedHashMap<>();
    private final Set<List<String>> common;

    private LengthSection(List<BenchmarkRow> rows) {
        this.common = common(rows);
    }

    static List<Plot.Group> of(List<BenchmarkRow> rows) {
        var section = new LengthSection(rows);
        rows.forEach(section::add);
        var plots = new LinkedHashMap<Axis, List<Lines.Line>>();
        section.lines.forEach((key, points) -> {
            if (points.size() >= MIN_VALUES) {
                List<Lines.Line> ofAxis = plots.computeIfAbsent(key.axis, axis -> new ArrayList<>());
                ofAxis.add(new Lines.Line(key.name, ofAxis.size(), List.copyOf(points.values())));
            }
        });
        return plots.entrySet().stream()
                .map(entry -> group(entry.getKey(), entry.getValue()))
                .toList();
    }

    private void add(BenchmarkRow row) {
        row.params().forEach((name, value) -> {
            if (LENGTHS.contains(name) && NUMBER.matcher(value).matches()) {
                addScore(row, name, name, "", value);
                for (String counter : COUNTERS.getOrDefault(name, List.of())) {
                    BenchmarkRow.Metric metric = row.secondary().get(counter);
                    if (metric != null) {
                        var axis = new Axis(row.benchmarkClass(), row.mode(), "", counter, name);
                        double x = Double.parseDouble(value);
                        put(axis, row.method() + others(row, name), Lines.Point.exact(x, metric.score()));
                    }
                }
            } else if (SIZES.matcher(value).matches()) {
                // Each of the sizes can be the length if the others are constant.
                Matcher number = Pattern.compile("\\d+").matcher(value);
                while (number.find()) {
                    String pattern = ", " + value.substring(0, number.start()) + "n" + value.substring(number.end());
                    addScore(row, name, "n in " + name, pattern, number.group());
                }
            }
        });
    }

    private void addScore(BenchmarkRow row, String parameter, String label, String pattern, String length) {
        Optional<BenchmarkRow.Metric> tokens = row.rate(TOKENS);
        String unit = tokens.isPresent() ? "tokens/s" : row.unit();
        // Score and counter are rates of the same calls, so the interval scales with the counter.
        double factor = tokens.map(metric -> metric.score() / row.score()).orElse(1.0);
        if (row.score() > 0 && Double.isFinite(factor)) {
            put(
                    new Axis(row.benchmarkClass(), row.mode(), unit, "", label),
                    row.method() + pattern + others(row, parameter),
                    point(Double.parseDouble(length), row, factor));
        }
    }

    private void put(Axis axis, String name, Lines.Point point) {
        if (point.x() > 0 && point.y() > 0) {
            lines.computeIfAbsent(new Key(axis, name), key -> new TreeMap<>()).put(point.x(), point);
        }
    }

    /** Class, parameter and value of parameters that have the same value in all rows of the class. */
    private static Set<List<String>> common(List<BenchmarkRow> rows) {
        var common = new HashSet<List<String>>();
        rows.stream()
                .collect(Collectors.groupingBy(BenchmarkRow::benchmarkClass))
                .forEach((benchmarkClass, ofClass) -> {
                    var params = new HashMap<>(ofClass.getFirst().params());
                    ofClass.forEach(
                            row -> params.entrySet().retainAll(row.params().entrySet()));
                    params.forEach((name, value) -> common.add(List.of(benchmarkClass, name, value)));
                });
        return common;
    }

    /** All other parameters except those that are equal in all rows of the class. */
    private String others(BenchmarkRow row, String parameter) {
        return row.params().entrySet().stream()
                .filter(entry -> !entry.getKey().equals(parameter)
                        && !common.contains(List.of(row.benchmarkClass(), entry.getKey(), entry.getValue())))
                .map(entry -> ", " + entry.getKey() + " " + entry.getValue())
                .collect(Collectors.joining());
    }

    private static Lines.Point point(double x, BenchmarkRow row, double factor) {
        double y = row.score() * factor;
        return BenchmarkRow.interval(row.samples())
                .map(interval -> new Lines.Point(x, y, interval.low() * factor, interval.high() * factor))
                .orElseGet(() -> Lines.Point.exact(x, y));
    }

    private static Plot.Group group(Axis axis, List<Lines.Line> lines) {
        String name = axis.benchmarkClass.substring(axis.benchmarkClass.lastIndexOf('.') + 1);
        boolean ofScore = axis.counter.isEmpty();
        boolean intervals =
                lines.stream().flatMap(line -> line.points().stream()).anyMatch(Lines.Point::hasInterval);
        String uncertainty = intervals ? "; bars are 95% intervals over forks." : "; one fork: no intervals.";
        String speed = axis.unit + (axis.mode.equals("thrpt") ? "" : " (lower is faster)");
        var drawn = new Lines(
                name + (ofScore ? "" : ", " + axis.counter) + " by " + axis.label,
                new Lines.Axis(axis.label, Lines.Scale.LOG2),
                new Lines.Axis(ofScore ? speed : axis.counter, Lines.Scale.LOG10),
                lines);
        return new Plot.Group(
                drawn.title(),
                axis.benchmarkClass + ", both axes logarithmic"
                        + (ofScore ? uncertainty : "; means over forks, without intervals."),
                List.of(Plot.ofGroup("", LinePlot.svg(drawn))),
                drawn.legend(),
                drawn.table());
    }
}
