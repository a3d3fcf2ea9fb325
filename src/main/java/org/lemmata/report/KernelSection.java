package org.lemmata.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lemmata.report.plot.NumberText;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.ComparisonRow;
import org.lemmata.track.ScalarReference;

/**
 * The page's table of all SIMD kernels: their speed relative to the scalar reference and to the roofline, and their
 * accuracy.
 */
final class KernelSection {

    private static final String NO_BREAK = "\u00a0";
    private static final String RATE = "gigaflops";

    private static final List<String> ERRORS = List.of("maxErrorUlps", "maxUlps");

    private static final int WIDTH = 120;
    private static final int HEIGHT = 28;
    private static final int MARGIN = 3;

    /** The table. A column is displayed if any row has a value for it. */
    record Kernels(String file, List<Row> rows) {

        int count() {
            return rows.size();
        }

        boolean intervals() {
            return rows.stream().anyMatch(row -> row.ratio.note.startsWith("["));
        }

        boolean roofed() {
            return rows.stream().anyMatch(row -> !row.share.text.isEmpty());
        }

        boolean compares() {
            return rows.stream().anyMatch(row -> row.badge != null);
        }

        boolean trends() {
            return rows.stream().anyMatch(row -> !row.spark.isEmpty());
        }
    }

    /**
     * A number as text, the number as a sorting key, and a note such as the unit. Text and key are empty if there is no
     * number.
     */
    record Quantity(String text, String value, String note) {

        static final Quantity NONE = of("", Double.NaN);

        static Quantity of(String text, double value) {
            return of(text, value, "");
        }

        static Quantity of(String text, double value, String note) {
            return new Quantity(text, Double.isFinite(value) ? Double.toString(value) : "", note);
        }
    }

    /**
     * A row of a SIMD kernel.
     *
     * @param kernel the operation, and the rest of the method's name, such as "backward"
     * @param benchmark class and method, qualified
     * @param rate the speed in GF/s, or JMH's score if FLOPs are not counted
     * @param share the speed as a share of the roofline
     * @param error the maximum error found, in ulps
     * @param ratio speed relative to the scalar reference, with its interval, or the reason why there is none
     * @param badge the verdict of the comparison with the baseline, or null
     * @param profile the profile of a slower row
     */
    record Row(
            String kernel,
            String benchmark,
            String parameters,
            Quantity rate,
            Quantity share,
            Quantity error,
            Quantity ratio,
            @Nullable Badge badge,
            Tracking.Profile profile,
            String spark) {}

    private KernelSection() {}

    static @Nullable Kernels of(ReportInput.Benchmarks input, Tracking tracking) {
        var roofline = new Roofline(input.rows());
        var references = new ScalarReference(input.rows());
        Map<String, ComparisonRow> compared = tracking.compared();
        List<Row> rows = input.rows().stream()
                .filter(row -> row.method().startsWith(ScalarReference.VECTOR))
                .map(row -> row(row, references, compared.get(row.sortedKey()), roofline, tracking))
                .toList();
        return rows.isEmpty() ? null : new Kernels(input.file(), rows);
    }

    private static Row row(
            BenchmarkRow row,
            ScalarReference references,
            @Nullable ComparisonRow compared,
            Roofline roofline,
            Tracking tracking) {
        Optional<OverScalar> scalar = references.of(row).map(reference -> OverScalar.of(reference, row));
        Optional<BenchmarkRow.Metric> rate = row.rate(RATE);
        double speed = rate.map(BenchmarkRow.Metric::score).orElse(row.score());
        return new Row(
                name(row),
                row.benchmark(),
                row.params().entrySet().stream()
                        .map(entry -> entry.getKey() + NO_BREAK + entry.getValue())
                        .collect(Collectors.joining(", ")),
                Quantity.of(NumberText.ratio(speed), speed, rate.isPresent() ? "GF/s" : row.unit()),
                roofline.share(row)
                        .map(share -> Quantity.of(Roofline.percent(share), share))
                        .orElse(Quantity.NONE),
                error(row),
                scalar.map(found -> Quantity.of(found.text(), found.ratio(), found.rangeText()))
                        .orElse(Quantity.NONE),
                compared == null ? null : Badge.of(compared.verdict()),
                compared != null && compared.verdict() == ComparisonRow.Change.SLOWER
                        ? tracking.profile(row.sortedKey())
                        : Tracking.Profile.NONE,
                sparkline(tracking.trends().getOrDefault(row.sortedKey(), List.of())));
    }

    /** {@code MatMul, backward} for {@code MatMulBenchmark.vectorBackward}. */
    private static String name(BenchmarkRow row) {
        String operation = row.simpleClass().replaceFirst("Benchmark$", "");
        String rest = row.method().substring(ScalarReference.VECTOR.length());
        String words = rest.replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
        return words.isEmpty() ? operation : operation + ", " + words;
    }

    private static Quantity error(BenchmarkRow row) {
        return ERRORS.stream()
                .flatMap(counter -> Stream.ofNullable(row.secondary().get(counter)))
                .findFirst()
                .map(metric -> Quantity.of(NumberText.ratio(metric.score()), metric.score()))
                .orElse(Quantity.NONE);
    }

    /** A row's history as a line with the height of a word. Runs are ordered from left to right; higher is faster. */
    static String sparkline(List<Tracking.Run> runs) {
        double[] logs = runs.stream().mapToDouble(run -> Math.log(run.speed())).toArray();
        if (logs.length < 2 || !DoubleStream.of(logs).allMatch(Double::isFinite)) {
            return "";
        }
        double low = DoubleStream.of(logs).min().orElseThrow();
        double high = DoubleStream.of(logs).max().orElseThrow();
        // The range is at least 10%, so that noise does not look like a large change.
        double scale = (HEIGHT - 2 * MARGIN) / Math.max(high - low, Math.log(1.1));
        List<String> points = IntStream.range(0, logs.length)
                .mapToObj(i -> String.format(
                        Locale.ROOT,
                        "%.1f,%.1f",
                        MARGIN + (double) i * (WIDTH - 2 * MARGIN) / (logs.length - 1),
                        HEIGHT / 2.0 - (logs[i] - (low + high) / 2) * scale))
                .toList();
        String[] last = points.getLast().split(",", -1);
        String title = logs.length + " runs";
        return ("<svg class=\"spark\" viewBox=\"0 0 %s %s\" role=\"img\" aria-label=\"%s\"><title>%s</title>"
                        + "<polyline points=\"%s\"/><circle cx=\"%s\" cy=\"%s\" r=\"2.4\"/></svg>")
                .formatted(WIDTH, HEIGHT, title, title, String.join(" ", points), last[0], last[1]);
    }
}
