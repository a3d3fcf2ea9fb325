package org.lemmata.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.lemmata.track.BenchmarkRow;

/** Throughput of attention by number format, and beside it what the format costs in exactness. */
final class FormatPlots {

    private static final String BENCHMARK = "RoundedAttentionBenchmark";
    private static final String FORMAT = "format";
    private static final String TOKENS = "tokens";
    private static final String ERROR = "maxError";

    /** Two of these stand side by side on a wide page. */
    private static final int HALF = 460;

    /** Axes are read more easily in thousands and millions than in long figures. */
    private enum Magnitude {
        BILLION("billion ", 1e9),
        MILLION("million ", 1e6),
        THOUSAND("thousand ", 1e3),
        ONE("", 1);

        private final String word;
        private final double factor;

        Magnitude(String word, double factor) {
            this.word = word;
            this.factor = factor;
        }

        static Magnitude of(double largest) {
            for (Magnitude magnitude : values()) {
                if (largest >= magnitude.factor) {
                    return magnitude;
                }
            }
            return ONE;
        }
    }

    private FormatPlots() {}

    /** One group a method, mode and size; empty where the benchmark was not run. */
    static List<Page.Group> of(List<BenchmarkRow> rows) {
        var groups = new LinkedHashMap<String, List<BenchmarkRow>>();
        for (BenchmarkRow row : rows) {
            if (row.simpleClass().equals(BENCHMARK)
                    && row.params().containsKey(FORMAT)
                    && Double.isFinite(throughput(row))) {
                groups.computeIfAbsent(setting(row), setting -> new ArrayList<>())
                        .add(row);
            }
        }
        return groups.entrySet().stream()
                .map(entry -> group(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static Page.Group group(String setting, List<BenchmarkRow> rows) {
        BenchmarkRow first = rows.getFirst();
        boolean tokens = first.secondary().containsKey(TOKENS);
        String label = tokens ? "tokens per second" : first.unit();
        Magnitude magnitude = Magnitude.of(
                rows.stream().mapToDouble(FormatPlots::throughput).max().orElse(1));
        var plots = new ArrayList<Page.Plot>();
        plots.add(plot(
                "Throughput by number format",
                rows.stream()
                        .map(row -> new BarPlot.Bar(name(row), throughput(row) / magnitude.factor))
                        .toList(),
                magnitude.word + label + (tokens || first.higherIsFaster() ? "" : " (lower is faster)"),
                BarPlot.Scale.LINEAR,
                PlotSvg.SERIES.get(0)));
        List<BarPlot.Bar> errors = rows.stream()
                .flatMap(row -> error(row)
                        .filter(error -> error > 0 && Double.isFinite(error))
                        .map(error -> new BarPlot.Bar(name(row), error))
                        .stream())
                .toList();
        if (!errors.isEmpty()) {
            plots.add(plot(
                    "Largest error by number format",
                    errors,
                    "largest error, logarithmic",
                    BarPlot.Scale.LOG,
                    PlotSvg.SERIES.get(1)));
        }
        List<Page.Row> cells = rows.stream()
                .map(row -> new Page.Row(List.of(name(row), NumberText.of(throughput(row)), errorText(row))))
                .toList();
        return new Page.Group(
                "Attention by number format",
                setting,
                plots,
                new Page.Table(List.of("number format", label, "largest error"), cells));
    }

    private static Page.Plot plot(
            String title, List<BarPlot.Bar> bars, String label, BarPlot.Scale scale, String colour) {
        return new Page.Plot(
                title,
                "",
                BarPlot.svg(title, bars, label, scale, colour, HALF),
                BarPlot.svg(title, bars, label, scale, colour, PlotSpec.NARROW),
                new Page.Table(List.of(), List.of()));
    }

    /** Everything but the format: "forward, thrpt, length 128". */
    private static String setting(BenchmarkRow row) {
        String others = row.params().entrySet().stream()
                .filter(entry -> !entry.getKey().equals(FORMAT))
                .map(entry -> ", " + entry.getKey() + " " + entry.getValue())
                .collect(Collectors.joining());
        return row.simpleClass() + "." + row.method() + ", mode " + row.mode() + others;
    }

    private static String name(BenchmarkRow row) {
        String format = row.params().getOrDefault(FORMAT, "");
        return format.equals("none") ? "unrounded" : format;
    }

    private static double throughput(BenchmarkRow row) {
        BenchmarkRow.Metric tokens = row.secondary().get(TOKENS);
        return tokens == null ? row.score() : tokens.score();
    }

    private static Optional<Double> error(BenchmarkRow row) {
        return Optional.ofNullable(row.secondary().get(ERROR)).map(BenchmarkRow.Metric::score);
    }

    private static String errorText(BenchmarkRow row) {
        return error(row).map(NumberText::of).orElse("not measured");
    }
}
