package org.lemmata.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lemmata.report.RoundedAttentionRow.Quantity;
import org.lemmata.report.plot.BarPlot;
import org.lemmata.report.plot.LinePlot;
import org.lemmata.report.plot.Lines;
import org.lemmata.report.plot.NumberText;
import org.lemmata.report.plot.Plot;
import org.lemmata.report.plot.SeriesStyle;

/**
 * The page's section of attention under rounding: speed and error by format and length, and for each single rounded
 * site.
 */
final class PrecisionSection {

    private static final String NOT_MEASURED = "not measured";

    private static final String COMMAND =
            "mvn -P jmh verify -DskipTests -Djmh.include=" + RoundedAttentionRow.BENCHMARK;

    /** A power of ten as the unit of an axis, such as thousands or millions, so that numbers are short. */
    private record Magnitude(String word, double factor) {

        static Magnitude of(List<RoundedAttentionRow> rows) {
            double largest = rows.stream()
                    .mapToDouble(RoundedAttentionRow::throughput)
                    .max()
                    .orElse(1);
            return Stream.of(
                            new Magnitude("billion ", 1e9),
                            new Magnitude("million ", 1e6),
                            new Magnitude("thousand ", 1e3))
                    .filter(magnitude -> largest >= magnitude.factor)
                    .findFirst()
                    .orElse(new Magnitude("", 1));
        }
    }

    private PrecisionSection() {}

    static Page.Precision of(ReportInput.Benchmarks input) {
        List<RoundedAttentionRow> rows = RoundedAttentionRow.of(input.rows());
        var groups = new ArrayList<Plot.Group>();
        by(rows, PrecisionSection::measurement).values().forEach(same -> {
            formats(same).ifPresent(groups::add);
            sites(same).ifPresent(groups::add);
        });
        return new Page.Precision(groups, missing(rows));
    }

    /** Class, method, JMH's mode, and all parameters except those of rounding and the length. */
    private static String measurement(RoundedAttentionRow row) {
        String others = row.row().params().entrySet().stream()
                .filter(entry -> !List.of("format", "mode", "site", "length").contains(entry.getKey()))
                .map(entry -> ", " + entry.getKey() + " " + entry.getValue())
                .collect(Collectors.joining());
        return row.row().simpleClass() + "." + row.row().method() + ", mode "
                + row.row().mode() + others;
    }

    private static <K> SequencedMap<K, List<RoundedAttentionRow>> by(
            List<RoundedAttentionRow> rows, Function<RoundedAttentionRow, K> key) {
        return rows.stream().collect(Collectors.groupingBy(key, LinkedHashMap::new, Collectors.toList()));
    }

    /**
     * Speed and error by format, for all rows except those that round a single site. If there are several lengths, they
     * are on the horizontal axis.
     */
    private static Optional<Plot.Group> formats(List<RoundedAttentionRow> measured) {
        List<RoundedAttentionRow> rows =
                measured.stream().filter(row -> !row.isOneSite()).toList();
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        RoundedAttentionRow first = rows.getFirst();
        Quantity error =
                rows.stream().anyMatch(row -> row.measured(Quantity.MEAN_ERROR).isPresent())
                        ? Quantity.MEAN_ERROR
                        : Quantity.MAX_ERROR;
        var plots = new ArrayList<Plot>();
        List<String> formats = List.copyOf(by(rows, RoundedAttentionRow::name).keySet());
        boolean lengths = by(rows, RoundedAttentionRow::length).size() > 1;
        if (lengths) {
            Magnitude magnitude = Magnitude.of(rows);
            plots.add(lines(
                    "Throughput by length",
                    speedLabel(magnitude, first),
                    rows,
                    formats,
                    row -> row.throughput() / magnitude.factor,
                    Lines.Scale.LINEAR));
            if (rows.stream().anyMatch(row -> positive(row, error))) {
                plots.add(lines(
                        capital(error.title()) + " by length",
                        error.title(),
                        rows.stream().filter(row -> positive(row, error)).toList(),
                        formats,
                        row -> row.measured(error).orElse(Double.NaN),
                        Lines.Scale.LOG10));
            }
        } else {
            plots.add(speedBars("by number format", rows));
            errorBars("by number format", rows, error).ifPresent(plots::add);
        }
        return Optional.of(new Plot.Group(
                "Attention by number format",
                measurement(first),
                plots,
                lengths ? SeriesStyle.legend(formats, true) : List.of(),
                table(rows, measured, speed(first), "number format")));
    }

    /** Speed and error for each single rounded site: two plots per format and mode, at their maximum length. */
    private static Optional<Plot.Group> sites(List<RoundedAttentionRow> measured) {
        List<RoundedAttentionRow> rows =
                measured.stream().filter(RoundedAttentionRow::isOneSite).toList();
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        var plots = new ArrayList<Plot>();
        by(rows, row -> row.format() + " " + row.mode()).values().forEach(ofFormat -> {
            int length = ofFormat.stream()
                    .mapToInt(RoundedAttentionRow::length)
                    .max()
                    .orElse(0);
            List<RoundedAttentionRow> longest =
                    ofFormat.stream().filter(row -> row.length() == length).toList();
            String at = longest.getFirst().format() + (length == 0 ? "" : ", length " + length);
            Quantity error = longest.stream().allMatch(row -> positive(row, Quantity.MEAN_ERROR))
                    ? Quantity.MEAN_ERROR
                    : Quantity.MAX_ERROR;
            plots.add(speedBars("of single sites: " + at, longest));
            errorBars("of single sites: " + at, longest, error).ifPresent(plots::add);
        });
        RoundedAttentionRow first = rows.getFirst();
        return Optional.of(new Plot.Group(
                "Rounding one site at a time",
                measurement(first),
                plots,
                List.of(),
                table(rows, measured, speed(first), "format and site")));
    }

    private static boolean positive(RoundedAttentionRow row, Quantity quantity) {
        return row.measured(quantity)
                .filter(value -> value > 0 && Double.isFinite(value))
                .isPresent();
    }

    private static String speed(RoundedAttentionRow row) {
        return row.countsTokens() ? "tokens per second" : row.row().unit();
    }

    private static String speedLabel(Magnitude magnitude, RoundedAttentionRow row) {
        boolean lower = !row.countsTokens() && !row.row().higherIsFaster();
        return magnitude.word + speed(row) + (lower ? " (lower is faster)" : "");
    }

    private static Plot speedBars(String of, List<RoundedAttentionRow> rows) {
        Magnitude magnitude = Magnitude.of(rows);
        return bars(
                "Throughput " + of,
                speedLabel(magnitude, rows.getFirst()),
                rows,
                row -> row.throughput() / magnitude.factor,
                BarPlot.Scale.LINEAR);
    }

    private static Optional<Plot> errorBars(String of, List<RoundedAttentionRow> rows, Quantity error) {
        List<RoundedAttentionRow> shown =
                rows.stream().filter(row -> positive(row, error)).toList();
        if (shown.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(bars(
                capital(error.title()) + " " + of,
                error.title() + ", logarithmic",
                shown,
                row -> row.measured(error).orElse(Double.NaN),
                BarPlot.Scale.LOG));
    }

    private static Plot bars(
            String title,
            String label,
            List<RoundedAttentionRow> rows,
            ToDoubleFunction<RoundedAttentionRow> value,
            BarPlot.Scale scale) {
        List<BarPlot.Bar> bars = rows.stream()
                .map(row -> bar(row, value.applyAsDouble(row), scale == BarPlot.Scale.LINEAR))
                .toList();
        return Plot.ofGroup(
                title, BarPlot.svg(title, bars, label, scale, SeriesStyle.of(scale == BarPlot.Scale.LINEAR ? 0 : 1)));
    }

    /** The bar of a speed with its interval over forks, or the bar of an error, which is equal in all forks. */
    private static BarPlot.Bar bar(RoundedAttentionRow row, double value, boolean speed) {
        String name = row.isOneSite() ? row.site() : row.name();
        double factor = value / row.row().score();
        return ForkInterval.of(row.row())
                .filter(interval -> speed)
                .map(interval -> new BarPlot.Bar(name, value, interval.low() * factor, interval.high() * factor))
                .orElseGet(() -> new BarPlot.Bar(name, value));
    }

    private static Plot lines(
            String title,
            String label,
            List<RoundedAttentionRow> rows,
            List<String> formats,
            ToDoubleFunction<RoundedAttentionRow> value,
            Lines.Scale scale) {
        var lines = new ArrayList<Lines.Line>();
        by(rows, RoundedAttentionRow::name)
                .forEach((name, ofName) -> lines.add(new Lines.Line(
                        name,
                        formats.indexOf(name),
                        ofName.stream()
                                .map(row -> Lines.Point.exact(row.length(), value.applyAsDouble(row)))
                                .toList())));
        Lines drawn =
                new Lines(title, "", new Lines.Axis("length", Lines.Scale.LOG2), new Lines.Axis(label, scale), lines);
        return Plot.ofGroup(title, LinePlot.svg(drawn));
    }

    /** The table of all rows, with each quantity that any row measures. */
    private static Plot.Table table(
            List<RoundedAttentionRow> rows, List<RoundedAttentionRow> all, String speed, String head) {
        boolean lengths = rows.stream().anyMatch(row -> row.length() > 0);
        List<Quantity> quantities = Arrays.stream(Quantity.values())
                .filter(quantity ->
                        rows.stream().anyMatch(row -> row.measured(quantity).isPresent()))
                .toList();
        var columns = new ArrayList<>(List.of(head));
        if (lengths) {
            columns.add("length");
        }
        columns.addAll(List.of(speed, "times unrounded"));
        quantities.forEach(quantity -> columns.add(quantity.title()));
        var lines = new ArrayList<List<String>>();
        for (RoundedAttentionRow row : rows) {
            var line = new ArrayList<>(List.of(row.name()));
            if (lengths) {
                line.add(row.length() == 0 ? "unknown" : NumberText.of(row.length()));
            }
            line.add(NumberText.of(row.throughput()));
            line.add(slowDown(row, all).map(NumberText::ratio).orElse(NOT_MEASURED));
            quantities.forEach(quantity ->
                    line.add(row.measured(quantity).map(NumberText::of).orElse(NOT_MEASURED)));
            lines.add(line);
        }
        return new Plot.Table(columns, lines);
    }

    /** The time divided by the time of the unrounded kernel at the same length, in the same run. */
    private static Optional<Double> slowDown(RoundedAttentionRow row, List<RoundedAttentionRow> all) {
        return all.stream()
                .filter(other -> other.isUnrounded() && other.length() == row.length())
                .findFirst()
                .map(unrounded ->
                        PeerRatios.Speedup.of(row.row(), unrounded.row()).ratio());
    }

    private static List<Page.Missing> missing(List<RoundedAttentionRow> rows) {
        var missing = new ArrayList<Page.Missing>();
        if (rows.isEmpty()) {
            return List.of(new Page.Missing("Attention under rounding was not measured in this file.", COMMAND));
        }
        if (rows.stream().noneMatch(RoundedAttentionRow::isUnrounded)) {
            missing.add(
                    new Page.Missing("The unrounded kernel, with which the others are compared.", with("format=none")));
        }
        Map<Integer, List<RoundedAttentionRow>> lengths = by(rows, RoundedAttentionRow::length);
        if (lengths.size() < 2) {
            missing.add(
                    new Page.Missing("Other lengths.", with("format=none,bfloat16 -p length=64,256,1024,4096,8192")));
        }
        if (rows.stream().noneMatch(RoundedAttentionRow::isOneSite)) {
            missing.add(new Page.Missing(
                    "Rounding one site at a time.",
                    with("format=none,bfloat16 -p site=inputs,scores,exponentials,sums,outputs")));
        }
        var formats = new LinkedHashSet<>(List.of("bfloat16", "binary16", "ocp_e5m2", "ocp_e4m3"));
        formats.removeAll(rows.stream().map(RoundedAttentionRow::format).toList());
        if (!formats.isEmpty()) {
            missing.add(new Page.Missing(
                    "The formats " + String.join(", ", formats) + ".",
                    with("format=none," + String.join(",", formats))));
        }
        return missing;
    }

    private static String with(String parameter) {
        return COMMAND + " -Djmh.args=\"-p " + parameter + "\"";
    }

    private static String capital(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }
}
