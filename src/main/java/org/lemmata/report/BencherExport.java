package org.lemmata.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.lemmata.file.Json;
import org.lemmata.statistic.Interval;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.ScoreUnit;

/**
 * Writes benchmarks in Bencher Metric Format: for each benchmark and measure, the value and the interval over forks.
 *
 * <p>Times become {@code latency} in nanoseconds, rates become {@code throughput} in operations per second. Secondary
 * metrics become measures named after them; their times and rates are also in nanoseconds and per second.
 */
public final class BencherExport {

    private static final int LONGEST_NAME = 1024;

    private static final int LONGEST_MEASURE = 64;

    private BencherExport() {}

    /**
     * The benchmarks as JSON, without rows that have no finite value.
     *
     * @throws IllegalArgumentException if there are no benchmarks, two rows have the same name, or a score is neither a
     *     time per operation nor a rate of operations
     */
    public static String of(ReportInput input) {
        ReportInput.Benchmarks benchmarks = input.benchmarks();
        if (benchmarks == null) {
            throw new IllegalArgumentException("bmf: expected results of benchmarks, got none");
        }
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        for (BenchmarkRow row : benchmarks.rows()) {
            ObjectNode measures = measures(row);
            String name = shortened(row.sortedKey());
            if (!measures.isEmpty() && root.replace(name, measures) != null) {
                throw new IllegalArgumentException(
                        "bmf: expected one row of each name, got two of " + MarkdownSummary.oneLine(name));
            }
        }
        return Json.indented(root) + "\n";
    }

    private static ObjectNode measures(BenchmarkRow row) {
        ObjectNode measures = JsonNodeFactory.instance.objectNode();
        ScoreUnit unit = ScoreUnit.of(row.unit())
                .orElseThrow(() -> new IllegalArgumentException("bmf: expected times per operation or operations per"
                        + " time, got " + MarkdownSummary.oneLine(row.unit() + " of " + row.key())));
        put(measures, unit.isRate() ? "throughput" : "latency", row.score(), unit.scale(), row.samples());
        for (Map.Entry<String, BenchmarkRow.Metric> entry : row.secondary().entrySet()) {
            BenchmarkRow.Metric metric = entry.getValue();
            put(measures, slug(entry.getKey()), metric.score(), scale(metric.unit()), row.byFork(metric));
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
            // The interval is for the geometric mean. With many skewed forks, it may not contain the arithmetic mean.
            metric.put("lower_value", Math.min(found.low(), score) * scale);
            metric.put("upper_value", Math.max(found.high(), score) * scale);
        });
    }

    /** The interval. Empty if the score is not the mean of its samples: some profilers report sums. */
    private static Optional<Interval> interval(double score, List<List<Double>> samples) {
        double mean = samples.stream()
                .flatMap(List::stream)
                .mapToDouble(Double::doubleValue)
                .average()
                .orElse(Double.NaN);
        if (!(Math.abs(mean - score) <= 1e-6 * Math.abs(score))) {
            return Optional.empty();
        }
        return BenchmarkRow.interval(samples)
                .filter(found -> Double.isFinite(found.low()) && Double.isFinite(found.high()));
    }

    /** The factor that converts times to nanoseconds and rates to rates per second; 1 for other units. */
    private static double scale(String unit) {
        return ScoreUnit.of(unit).map(ScoreUnit::scale).orElse(1.0);
    }

    /** The name in lower case with hyphens: {@code max-error-ulps} for maxErrorUlps. */
    private static String slug(String name) {
        String slug = name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9]+", "-")
                .replaceAll("^-|-$", "");
        // The rest of the length is for the number that distinguishes equal slugs.
        return slug.isEmpty() ? "metric" : slug.substring(0, Math.min(slug.length(), LONGEST_MEASURE - 4));
    }

    /** The name. If it is too long, its beginning and a hash, so that names with the same beginning remain distinct. */
    private static String shortened(String name) {
        if (name.codePointCount(0, name.length()) <= LONGEST_NAME) {
            return name;
        }
        String hash = "#" + Integer.toHexString(name.hashCode());
        return name.substring(0, name.offsetByCodePoints(0, LONGEST_NAME - hash.length())) + hash;
    }
}
