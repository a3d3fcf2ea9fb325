package org.lemmata.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.lemmata.report.RoundedAttentionRow.Quantity;
import org.lemmata.report.plot.BarPlot;
import org.lemmata.report.plot.LinePlot;
import org.lemmata.report.plot.Lines;
import org.lemmata.report.plot.NumberText;
import org.lemmata.report.plot.Plot;
import org.lemmata.report.plot.SeriesStyle;
import org.lemmata.track.BenchmarkRow;

/**
 * The page's section of attention under rounding: speed and error by format and length, and for each single rounded
 * site.
 */
final class PrecisionSection {

    private static final String NOT_MEASURED = "not measured";

    /** The prefixes of units by powers of a thousand, so that numbers on axes are short. */
    private static final List<String> MAGNITUDES = List.of("", "thousand ", "million ", "billion ");

    private PrecisionSection() {}

    static List<Plot.Group> of(ReportInput.Benchmarks input) {
        List<RoundedAttentionRow> rows = RoundedAttentionRow.of(input.rows());
        var groups = new ArrayList<Plot.Group>();
        by(rows, PrecisionSection::measurement).values().forEach(same -> {
            formats(same).ifPresent(groups::add);
            sites(same).ifPresent(groups::add);
        });
        return groups;
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
        Quantity error =
                rows.stream().anyMatch(row -> row.measured(Quantity.MEAN_ERROR).isPresent())
                        ? Quantity.MEAN_ERROR
                        : Quantity.MAX_ERROR;
        boolean lengths = by(rows, RoundedAttentionRow::length).size() > 1;
        List<String> formats =
                lengths ? List.copyOf(by(rows, RoundedAttentionRow::name).keySet()) : List.of();
        return Optional.of(new Plot.Group(
                "Attention by number format",
                measurement(rows.getFirst()),
                speedAndError(lengths ? "by length" : "by number format", rows, error, formats),
                SeriesStyle.legend(formats, true),
                table(rows, measured, "number format")));
    }

    /** Speed and error for each single rounded site: up to two plots per format and mode, at their maximum length. */
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
            plots.addAll(speedAndError("of single sites: " + at, longest, error, List.of()));
        });
        return Optional.of(new Plot.Group(
                "Rounding one site at a time",
                measurement(rows.getFirst()),
                plots,
                List.of(),
                table(rows, measured, "format and site")));
    }

    private static boolean positive(RoundedAttentionRow row, Quantity quantity) {
        return row.measured(quantity)
                .filter(value -> value > 0 && Double.isFinite(value))
                .isPresent();
    }

    private static String speed(RoundedAttentionRow row) {
        return row.countsTokens() ? "tokens per second" : row.row().unit();
    }

    /**
     * A plot of speeds and, if any row has a positive error, a plot of errors.
     *
     * @param formats the names of the lines, which are plotted by length; empty for bars
     */
    private static List<Plot> speedAndError(
            String title, List<RoundedAttentionRow> rows, Quantity error, List<String> formats) {
        double largest =
                rows.stream().mapToDouble(RoundedAttentionRow::throughput).max().orElse(1);
        int magnitude = Math.clamp((int) (Math.log10(largest) / 3), 0, MAGNITUDES.size() - 1);
        RoundedAttentionRow first = rows.getFirst();
        boolean lower = !first.countsTokens() && !first.row().higherIsFaster();
        var plots = new ArrayList<Plot>();
        plots.add(plot(
                "Throughput " + title,
                MAGNITUDES.get(magnitude) + speed(first) + (lower ? " (lower is faster)" : ""),
                rows,
                formats,
                row -> row.throughput() / Math.pow(1000, magnitude),
                false));
        List<RoundedAttentionRow> shown =
                rows.stream().filter(row -> positive(row, error)).toList();
        if (!shown.isEmpty()) {
            String name = error.title();
            plots.add(plot(
                    name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1) + " " + title,
                    name,
                    shown,
                    formats,
                    row -> row.measured(error).orElse(Double.NaN),
                    true));
        }
        return plots;
    }

    private static Plot plot(
            String title,
            String label,
            List<RoundedAttentionRow> rows,
            List<String> formats,
            ToDoubleFunction<RoundedAttentionRow> value,
            boolean isError) {
        if (formats.isEmpty()) {
            List<BarPlot.Bar> bars = rows.stream()
                    .map(row -> bar(row, value.applyAsDouble(row), !isError))
                    .toList();
            return Plot.ofGroup(
                    title,
                    isError
                            ? BarPlot.svg(title, bars, label + ", logarithmic", BarPlot.Scale.LOG, SeriesStyle.of(1))
                            : BarPlot.svg(title, bars, label, BarPlot.Scale.LINEAR, SeriesStyle.of(0)));
        }
        var lines = new ArrayList<Lines.Line>();
        by(rows, RoundedAttentionRow::name)
                .forEach((name, ofName) -> lines.add(new Lines.Line(
                        name,
                        formats.indexOf(name),
                        ofName.stream()
                                .map(row -> Lines.Point.exact(row.length(), value.applyAsDouble(row)))
                                .toList())));
        var length = new Lines.Axis("length", Lines.Scale.LOG2);
        var values = new Lines.Axis(label, isError ? Lines.Scale.LOG10 : Lines.Scale.LINEAR);
        return Plot.ofGroup(title, LinePlot.svg(new Lines(title, "", length, values, lines)));
    }

    /** The bar of a speed with its interval over forks, or the bar of an error, which is equal in all forks. */
    private static BarPlot.Bar bar(RoundedAttentionRow row, double value, boolean speed) {
        String name = row.isOneSite() ? row.site() : row.name();
        double factor = value / row.row().score();
        return BenchmarkRow.interval(row.row().samples())
                .filter(interval -> speed)
                .map(interval -> new BarPlot.Bar(name, value, interval.low() * factor, interval.high() * factor))
                .orElseGet(() -> new BarPlot.Bar(name, value));
    }

    /** The table of all rows, with each quantity that any row measures. */
    private static Plot.Table table(List<RoundedAttentionRow> rows, List<RoundedAttentionRow> all, String head) {
        boolean lengths = rows.stream().anyMatch(row -> row.length() > 0);
        List<Quantity> quantities = Arrays.stream(Quantity.values())
                .filter(quantity ->
                        rows.stream().anyMatch(row -> row.measured(quantity).isPresent()))
                .toList();
        var columns = new ArrayList<>(List.of(head));
        if (lengths) {
            columns.add("length");
        }
        columns.addAll(List.of(speed(rows.getFirst()), "times unrounded"));
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
}
