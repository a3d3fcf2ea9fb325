package org.lemmata.report.export;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lemmata.file.Json;
import org.lemmata.report.ForkInterval;
import org.lemmata.report.ReportInput;
import org.lemmata.report.Tracking;
import org.lemmata.statistic.Interval;
import org.lemmata.track.BenchmarkRow;

/**
 * Benchmarks in Bencher Metric Format: benchmark, measure, value with the interval of its forks.
 *
 * <p>Times are {@code latency} in nanoseconds, rates {@code throughput} in operations a second, secondary metrics
 * measures of their own name, rates among them a second as well.
 */
public final class BencherExport {

    private static final int LONGEST_NAME = 1024;

    private static final int LONGEST_MEASURE = 64;

    private BencherExport() {}

    /**
     * The benchmarks as JSON; what has no finite score is left out.
     *
     * @throws IllegalArgumentException if there are no benchmarks, or two rows of one name
     */
    public static String of(ReportInput input) {
        ReportInput.Benchmarks benchmarks = input.benchmarks();
        if (benchmarks == null) {
            throw new IllegalArgumentException("bmf: expected results of benchmarks, got none");
        }
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        for (BenchmarkRow row : benchmarks.rows()) {
            ObjectNode measures = measures(row);
            String name = shortened(Tracking.RowKey.of(row).metric());
            if (!measures.isEmpty() && root.replace(name, measures) != null) {
                throw new IllegalArgumentException(
                        "bmf: expected one row of each name, got two of " + MarkdownSummary.oneLine(name));
            }
        }
        return Json.indented(root) + "\n";
    }

    private static ObjectNode measures(BenchmarkRow row) {
        ObjectNode measures = JsonNodeFactory.instance.objectNode();
        boolean time = row.unit().endsWith("/op");
        put(measures, time ? "latency" : "throughput", row.score(), scale(row.unit()), row.samples());
        for (Map.Entry<String, BenchmarkRow.Metric> entry : row.secondary().entrySet()) {
            BenchmarkRow.Metric metric = entry.getValue();
            put(
                    measures,
                    slug(entry.getKey()),
                    metric.score(),
                    scale(metric.unit()),
                    forks(metric.samples(), row.samples()));
        }
        return measures;
    }

    private static void put(ObjectNode measures, String slug, double score, double scale, List<List<Double>> samples) {
        if (!Double.isFinite(score * scale)) {
            return;
        }
        String measure = slug;
        for (int i = 2; measures.has(measure); i++) {
            measure = slug + "-" + i;
        }
        ObjectNode metric = measures.putObject(measure);
        metric.put("value", score * scale);
        interval(score, samples).ifPresent(found -> {
            // The interval is that of the geometric mean, which many skewed forks may part from their mean.
            metric.put("lower_value", Math.min(found.low(), score) * scale);
            metric.put("upper_value", Math.max(found.high(), score) * scale);
        });
    }

    /** Empty where the score is no mean of its samples: some profilers give sums. */
    private static Optional<Interval> interval(double score, List<List<Double>> samples) {
        double mean = samples.stream()
                .flatMap(List::stream)
                .mapToDouble(Double::doubleValue)
                .average()
                .orElse(Double.NaN);
        if (!(Math.abs(mean - score) <= 1e-6 * Math.abs(score))) {
            return Optional.empty();
        }
        return ForkInterval.of(samples).filter(found -> Double.isFinite(found.low()) && Double.isFinite(found.high()));
    }

    /** Samples of a secondary metric, by the forks that the primary one has; none where they do not go together. */
    private static List<List<Double>> forks(List<Double> samples, List<List<Double>> primary) {
        if (samples.size() != primary.stream().mapToInt(List::size).sum()) {
            return List.of();
        }
        var forks = new ArrayList<List<Double>>();
        int at = 0;
        for (List<Double> fork : primary) {
            forks.add(samples.subList(at, at + fork.size()));
            at += fork.size();
        }
        return forks;
    }

    /** What makes a time nanoseconds, a rate one a second, and leaves anything else as it is. */
    private static double scale(String unit) {
        int slash = unit.indexOf('/');
        if (slash < 0) {
            return 1;
        }
        if (unit.endsWith("/op")) {
            TimeUnit time = time(unit.substring(0, slash));
            return time == null ? 1 : (double) time.toNanos(1);
        }
        TimeUnit time = unit.startsWith("ops/") ? time(unit.substring(slash + 1)) : null;
        return time == null ? 1 : 1e9 / (double) time.toNanos(1);
    }

    /** By JMH's names. */
    private static @Nullable TimeUnit time(String name) {
        return switch (name) {
            case "ns" -> TimeUnit.NANOSECONDS;
            case "us" -> TimeUnit.MICROSECONDS;
            case "ms" -> TimeUnit.MILLISECONDS;
            case "s" -> TimeUnit.SECONDS;
            case "min" -> TimeUnit.MINUTES;
            case "hr" -> TimeUnit.HOURS;
            case "day" -> TimeUnit.DAYS;
            default -> null;
        };
    }

    /** {@code max-error-ulps} of maxErrorUlps. */
    private static String slug(String name) {
        String slug = name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9]+", "-")
                .replaceAll("^-|-$", "");
        // Room for the number that tells two of one slug apart.
        return slug.isEmpty() ? "metric" : slug.substring(0, Math.min(slug.length(), LONGEST_MEASURE - 4));
    }

    /** The hash keeps long names apart that begin alike. */
    private static String shortened(String name) {
        if (name.codePointCount(0, name.length()) <= LONGEST_NAME) {
            return name;
        }
        String hash = "#" + Integer.toHexString(name.hashCode());
        return name.substring(0, name.offsetByCodePoints(0, LONGEST_NAME - hash.length())) + hash;
    }
}
