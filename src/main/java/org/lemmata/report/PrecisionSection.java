package org.lemmata.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
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

    private record Quantity(String counter, String title) {}

    private static final Quantity MAX_ERROR = new Quantity("maxError", "maximum error");
    private static final Quantity MEAN_ERROR = new Quantity("meanError", "mean error");

    /** The measured quantities other than speed: their counters, and the heads of their columns. */
    private static final List<Quantity> QUANTITIES = List.of(
            MAX_ERROR,
            MEAN_ERROR,
            new Quantity("maxUlps", "maximum, ulps"),
            new Quantity("meanUlps", "mean, ulps"),
            new Quantity("changedArgmax", "changed argmax"));

    /** The single sites of rounding in attention; other values of the parameter mean several sites. */
    private static final List<String> SITES = List.of("inputs", "scores", "exponentials", "sums", "outputs");

    /** A row of the benchmark of rounded attention; a missing parameter is the empty text. */
    private record Row(BenchmarkRow row) {

        String parameter(String name) {
            return row.params().getOrDefault(name, "");
        }

        /** The sequence length; 0 if the row has no such parameter. */
        int length() {
            String length = parameter("length");
            return length.matches("\\d{1,9}") ? Integer.parseInt(length) : 0;
        }

        boolean isUnrounded() {
            return parameter("format").equals("none");
        }

        boolean isOneSite() {
            return !isUnrounded() && SITES.contains(parameter("site"));
        }

        /**
         * The displayed name: the format, then the mode and the site unless they are the defaults (nearest even,
         * tensors).
         */
        String name() {
            String mode = parameter("mode");
            String site = parameter("site");
            return isUnrounded()
                    ? "unrounded"
                    : parameter("format")
                            + (List.of("", "TiesToEven").contains(mode) ? "" : " " + mode)
                            + (List.of("", "tensors").contains(site) ? "" : ", " + site);
        }

        boolean countsTokens() {
            return row.rate("tokens").isPresent();
        }

        /** Tokens per second, or JMH's score if tokens are not counted. */
        double throughput() {
            return row.rate("tokens").map(BenchmarkRow.Metric::score).orElse(row.score());
        }

        Optional<Double> measured(Quantity quantity) {
            return Optional.ofNullable(row.secondary().get(quantity.counter)).map(BenchmarkRow.Metric::score);
        }

        /** Class, method, JMH's mode, and all parameters except those of rounding and the length. */
        String measurement() {
            String others = row.params().entrySet().stream()
                    .filter(entry ->
                            !List.of("format", "mode", "site", "length").contains(entry.getKey()))
                    .map(entry -> ", " + entry.getKey() + " " + entry.getValue())
                    .collect(Collectors.joining());
            return row.simpleClass() + "." + row.method() + ", mode " + row.mode() + others;
        }
    }

    private PrecisionSection() {}

    static List<Plot.Group> of(ReportInput.Benchmarks input) {
        // Mode and site have no effect without rounding, so there is one unrounded row per size.
        var unrounded = new HashSet<Map<String, String>>();
        List<Row> rows = input.rows().stream()
                .filter(row -> row.simpleClass().equals("RoundedAttentionBenchmark")
                        && row.params().containsKey("format"))
                .map(Row::new)
                .filter(row -> Double.isFinite(row.throughput()))
                .filter(row -> !row.isUnrounded() || unrounded.add(size(row.row)))
                .toList();
        var groups = new ArrayList<Plot.Group>();
        by(rows, Row::measurement).values().forEach(same -> {
            formats(same).ifPresent(groups::add);
            sites(same).ifPresent(groups::add);
        });
        return groups;
    }

    /** The method, JMH's mode, and all parameters except the mode and the site of rounding. */
    private static Map<String, String> size(BenchmarkRow row) {
        var size = new HashMap<>(row.params());
        size.keySet().removeAll(List.of("mode", "site"));
        size.put("method", row.method() + " " + row.mode());
        return size;
    }

    private static <K> SequencedMap<K, List<Row>> by(List<Row> rows, Function<Row, K> key) {
        return rows.stream().collect(Collectors.groupingBy(key, LinkedHashMap::new, Collectors.toList()));
    }

    /**
     * Speed and error by format, for all rows except those that round a single site. If there are several lengths, they
     * are on the horizontal axis.
     */
    private static Optional<Plot.Group> formats(List<Row> measured) {
        List<Row> rows = measured.stream().filter(row -> !row.isOneSite()).toList();
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        Quantity error = rows.stream().anyMatch(row -> row.measured(MEAN_ERROR).isPresent()) ? MEAN_ERROR : MAX_ERROR;
        boolean lengths = by(rows, Row::length).size() > 1;
        List<String> formats = lengths ? List.copyOf(by(rows, Row::name).keySet()) : List.of();
        return Optional.of(new Plot.Group(
                "Attention by number format",
                rows.getFirst().measurement(),
                speedAndError(lengths ? "by length" : "by number format", rows, error, formats),
                SeriesStyle.legend(formats, true),
                table(rows, measured, "number format")));
    }

    /** Speed and error for each single rounded site: up to two plots per format and mode, at their maximum length. */
    private static Optional<Plot.Group> sites(List<Row> measured) {
        List<Row> rows = measured.stream().filter(Row::isOneSite).toList();
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        var plots = new ArrayList<Plot>();
        by(rows, row -> row.parameter("format") + " " + row.parameter("mode"))
                .values()
                .forEach(ofFormat -> {
                    int length = ofFormat.stream().mapToInt(Row::length).max().orElse(0);
                    List<Row> longest = ofFormat.stream()
                            .filter(row -> row.length() == length)
                            .toList();
                    String at = longest.getFirst().parameter("format") + (length == 0 ? "" : ", length " + length);
                    Quantity error =
                            longest.stream().allMatch(row -> positive(row, MEAN_ERROR)) ? MEAN_ERROR : MAX_ERROR;
                    plots.addAll(speedAndError("of single sites: " + at, longest, error, List.of()));
                });
        return Optional.of(new Plot.Group(
                "Rounding one site at a time",
                rows.getFirst().measurement(),
                plots,
                List.of(),
                table(rows, measured, "format and site")));
    }

    private static boolean positive(Row row, Quantity quantity) {
        return row.measured(quantity)
                .filter(value -> value > 0 && Double.isFinite(value))
                .isPresent();
    }

    private static String speed(Row row) {
        return row.countsTokens() ? "tokens per second" : row.row.unit();
    }

    /**
     * A plot of speeds and, if any row has a positive error, a plot of errors.
     *
     * @param formats the names of the lines, which are plotted by length; empty for bars
     */
    private static List<Plot> speedAndError(String title, List<Row> rows, Quantity error, List<String> formats) {
        double largest = rows.stream().mapToDouble(Row::throughput).max().orElse(1);
        int magnitude = Math.clamp((int) (Math.log10(largest) / 3), 0, MAGNITUDES.size() - 1);
        Row first = rows.getFirst();
        boolean lower = !first.countsTokens() && !first.row.higherIsFaster();
        var plots = new ArrayList<Plot>();
        plots.add(plot(
                "Throughput " + title,
                MAGNITUDES.get(magnitude) + speed(first) + (lower ? " (lower is faster)" : ""),
                rows,
                formats,
                row -> row.throughput() / Math.pow(1000, magnitude),
                false));
        List<Row> shown = rows.stream().filter(row -> positive(row, error)).toList();
        if (!shown.isEmpty()) {
            String name = error.title;
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
            List<Row> rows,
            List<String> formats,
            ToDoubleFunction<Row> value,
            boolean isError) {
        if (formats.isEmpty()) {
            List<BarPlot.Bar> bars = rows.stream()
                    .map(row -> bar(row, value.applyAsDouble(row), !isError))
                    .toList();
            return Plot.ofGroup(
                    title,
                    isError
                            ? BarPlot.svg(title, bars, label + ", logarithmic", Lines.Scale.LOG10, SeriesStyle.of(1))
                            : BarPlot.svg(title, bars, label, Lines.Scale.LINEAR, SeriesStyle.of(0)));
        }
        var lines = new ArrayList<Lines.Line>();
        by(rows, Row::name)
                .forEach((name, ofName) -> lines.add(new Lines.Line(
                        name,
                        formats.indexOf(name),
                        ofName.stream()
                                .map(row -> Lines.Point.exact(row.length(), value.applyAsDouble(row)))
                                .toList())));
        var length = new Lines.Axis("length", Lines.Scale.LOG2);
        var values = new Lines.Axis(label, isError ? Lines.Scale.LOG10 : Lines.Scale.LINEAR);
        return Plot.ofGroup(title, LinePlot.svg(new Lines(title, length, values, lines)));
    }

    /** The bar of a speed with its interval over forks, or the bar of an error, which is equal in all forks. */
    private static BarPlot.Bar bar(Row row, double value, boolean speed) {
        String name = row.isOneSite() ? row.parameter("site") : row.name();
        double factor = value / row.row.score();
        return BenchmarkRow.interval(row.row.samples())
                .filter(interval -> speed)
                .map(interval -> new BarPlot.Bar(name, value, interval.low() * factor, interval.high() * factor))
                .orElseGet(() -> new BarPlot.Bar(name, value));
    }

    /** The table of all rows, with each quantity that any row measures. */
    private static Plot.Table table(List<Row> rows, List<Row> all, String head) {
        boolean lengths = rows.stream().anyMatch(row -> row.length() > 0);
        List<Quantity> quantities = QUANTITIES.stream()
                .filter(quantity ->
                        rows.stream().anyMatch(row -> row.measured(quantity).isPresent()))
                .toList();
        var columns = new ArrayList<>(List.of(head));
        if (lengths) {
            columns.add("length");
        }
        columns.addAll(List.of(speed(rows.getFirst()), "times unrounded"));
        quantities.forEach(quantity -> columns.add(quantity.title));
        var lines = new ArrayList<List<String>>();
        for (Row row : rows) {
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
    private static Optional<Double> slowDown(Row row, List<Row> all) {
        return all.stream()
                .filter(other -> other.isUnrounded() && other.length() == row.length())
                .findFirst()
                .map(unrounded -> PeerRatios.Speedup.of(row.row, unrounded.row).ratio());
    }
}
