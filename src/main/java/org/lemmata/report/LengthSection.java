package org.lemmata.report;

import java.util.ArrayList;
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
import org.lemmata.track.BenchmarkRow;

/** Speed against length: a plot a benchmark that was measured at several lengths, both axes logarithmic. */
final class LengthSection {

    /** Fewer values are no curve. */
    private static final int LEAST_VALUES = 3;

    private static final Set<String> LENGTHS =
            Set.of("length", "columns", "tokens", "positions", "context", "maxLength", "sequence");

    /** Sizes in one parameter: {@code SOFTMAX:1x8x1024x64}. */
    private static final Pattern SIZES = Pattern.compile("(?:[A-Za-z_]+:)?\\d{1,9}(?:x\\d{1,9})+");

    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");
    private static final String TOKENS = "tokens";

    /** What keeps lines in plots of their own. */
    private record Axis(String benchmarkClass, String mode, String unit, String label) {}

    /** A line: what all its rows have in common. */
    private record Key(Axis axis, String name) {}

    private LengthSection() {}

    /** None where nothing was measured at three lengths. */
    static List<Page.Group> of(List<BenchmarkRow> rows) {
        var lines = new LinkedHashMap<Key, NavigableMap<Double, Lines.Point>>();
        for (BenchmarkRow row : rows) {
            row.params().forEach((name, value) -> {
                if (LENGTHS.contains(name) && NUMBER.matcher(value).matches()) {
                    add(lines, row, name, name, "", value);
                } else if (SIZES.matcher(value).matches()) {
                    addSizes(lines, row, name, value);
                }
            });
        }
        var plots = new LinkedHashMap<Axis, List<Lines.Line>>();
        lines.forEach((key, points) -> {
            if (points.size() >= LEAST_VALUES) {
                List<Lines.Line> ofAxis = plots.computeIfAbsent(key.axis, axis -> new ArrayList<>());
                ofAxis.add(new Lines.Line(key.name, ofAxis.size(), List.copyOf(points.values())));
            }
        });
        return plots.entrySet().stream()
                .map(entry -> group(entry.getKey(), entry.getValue()))
                .toList();
    }

    /** Each of the sizes is a length where all others stay as they are. */
    private static void addSizes(
            Map<Key, NavigableMap<Double, Lines.Point>> lines, BenchmarkRow row, String parameter, String value) {
        Matcher number = Pattern.compile("\\d+").matcher(value);
        while (number.find()) {
            String others = value.substring(0, number.start()) + "n" + value.substring(number.end());
            add(lines, row, parameter, "n in " + parameter, others, number.group());
        }
    }

    private static void add(
            Map<Key, NavigableMap<Double, Lines.Point>> lines,
            BenchmarkRow row,
            String parameter,
            String label,
            String pattern,
            String length) {
        double x = Double.parseDouble(length);
        Optional<BenchmarkRow.Metric> tokens = Optional.ofNullable(row.secondary().get(TOKENS))
                .filter(metric -> metric.unit().equals("ops/s") && metric.score() > 0);
        String unit = tokens.isPresent() ? "tokens/s" : row.unit();
        String others = row.params().entrySet().stream()
                .filter(entry -> !entry.getKey().equals(parameter))
                .map(entry -> ", " + entry.getKey() + " " + entry.getValue())
                .collect(Collectors.joining());
        var key = new Key(
                new Axis(row.benchmarkClass(), row.mode(), unit, label),
                row.method() + (pattern.isEmpty() ? "" : ", " + pattern) + others);
        // What is counted goes with the score: both are rates of the same calls.
        double factor = tokens.map(metric -> metric.score() / row.score()).orElse(1.0);
        if (x > 0 && row.score() > 0 && Double.isFinite(factor)) {
            lines.computeIfAbsent(key, k -> new TreeMap<>()).put(x, point(x, row, factor));
        }
    }

    private static Lines.Point point(double x, BenchmarkRow row, double factor) {
        double y = row.score() * factor;
        return ForkInterval.of(row)
                .map(interval -> new Lines.Point(x, y, interval.low() * factor, interval.high() * factor))
                .orElseGet(() -> Lines.Point.exact(x, y));
    }

    private static Page.Group group(Axis axis, List<Lines.Line> lines) {
        String name = axis.benchmarkClass.substring(axis.benchmarkClass.lastIndexOf('.') + 1);
        boolean intervals = lines.stream()
                .flatMap(line -> line.points().stream())
                .anyMatch(Lines.Point::hasInterval);
        var drawn = new Lines(
                name + " by " + axis.label,
                "",
                new Lines.Axis(axis.label, Lines.Scale.LOG2),
                new Lines.Axis(axis.unit + (axis.mode.equals("thrpt") ? "" : " (lower is faster)"), Lines.Scale.LOG10),
                lines);
        return new Page.Group(
                drawn.title(),
                axis.benchmarkClass + ", both axes logarithmic"
                        + (intervals ? "; bars are 95% intervals over forks." : "; one fork: no intervals."),
                List.of(new Page.Plot(
                        "",
                        "",
                        LinePlot.svg(drawn, PlotSpec.WIDE),
                        LinePlot.svg(drawn, PlotSpec.NARROW),
                        List.of(),
                        Page.Table.NONE)),
                drawn.legend(),
                LineTable.of(drawn));
    }
}
