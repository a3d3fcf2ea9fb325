package org.lemmata.track;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Merges results with one fork each into one row. Its statistics are those that JMH would have written for all forks in
 * one run: mean, half of the 99.9% interval, percentiles.
 *
 * <p>There is one difference: some metrics, such as events and garbage collections, are sums or maxima over a run in
 * JMH. The merged row has their mean over the forks, so that they do not grow with the number of forks. A fork without
 * the metric counts as 0.
 */
public final class JmhMerge {

    private static final double CONFIDENCE = 0.999;

    private static final List<String> PERCENTILES =
            List.of("0.0", "50.0", "90.0", "95.0", "99.0", "99.9", "99.99", "99.999", "99.9999", "100.0");

    private static final String HISTOGRAM = "rawDataHistogram";

    /** The names of percentiles that JMH adds to a histogram, such as "p0.50" and "p1.00". */
    private static final Pattern PERCENTILE_METRIC = Pattern.compile("p[01]\\.\\d+");

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private JmhMerge() {}

    /**
     * Merges the forks of one row.
     *
     * @param forks rows of one benchmark, mode and parameter set, in the order of the forks; at least one
     * @return a row with all forks
     */
    public static ObjectNode merge(List<? extends JsonNode> forks) {
        ObjectNode row = forks.getFirst().deepCopy();
        if (forks.size() == 1) {
            return row;
        }
        row.put("forks", forks.size());
        ObjectNode primary =
                primary(forks.stream().map(fork -> fork.path("primaryMetric")).toList());
        row.set("primaryMetric", primary);
        ObjectNode secondary = row.putObject("secondaryMetrics");
        // Collects the metrics of all forks, because JMH omits metrics without events, such as the time of collections.
        Set<String> names = new LinkedHashSet<>();
        forks.forEach(fork -> fork.path("secondaryMetrics").fieldNames().forEachRemaining(names::add));
        int iterations = row.path("measurementIterations").asInt();
        for (String name : names) {
            ObjectNode metric = secondary(
                    forks.stream()
                            .map(fork -> fork.path("secondaryMetrics").path(name))
                            .toList(),
                    iterations);
            if (primary.has(HISTOGRAM) && PERCENTILE_METRIC.matcher(name).matches()) {
                List<Sample> all = samples(primary.path(HISTOGRAM));
                all.sort(Comparator.comparingDouble(Sample::value));
                metric.put("score", percentile(all, 100 * Double.parseDouble(name.substring(1))));
            }
            secondary.set(name, metric);
        }
        return row;
    }

    private static ObjectNode primary(List<JsonNode> forks) {
        String raw = forks.getFirst().has(HISTOGRAM) ? HISTOGRAM : "rawData";
        ArrayNode data = data(forks, raw);
        List<Sample> samples = samples(data);
        double score = mean(samples);
        return metric(forks.getFirst(), score, error(samples, score), samples, raw, data);
    }

    /** @param forks the metric in each fork; a missing node if the fork does not have it */
    private static ObjectNode secondary(List<JsonNode> forks, int iterations) {
        ArrayNode data = data(forks, "rawData");
        List<Sample> samples = samples(data);
        JsonNode any =
                forks.stream().filter(fork -> !fork.isMissingNode()).findFirst().orElseThrow();
        if (forks.stream().noneMatch(fork -> isSummed(fork, iterations))) {
            double score = mean(samples);
            return metric(any, score, error(samples, score), samples, "rawData", data);
        }
        double score = forks.stream()
                .mapToDouble(fork -> number(fork.path("score")))
                .average()
                .orElse(Double.NaN);
        // JMH counts an iteration without events as 0, but omits it from the raw data.
        long missing = (long) iterations * forks.size() - count(samples);
        if (missing > 0) {
            samples.add(new Sample(0, missing));
        }
        return metric(any, score, Double.NaN, samples, "rawData", data);
    }

    private static ArrayNode data(List<JsonNode> forks, String raw) {
        ArrayNode data = JSON.arrayNode();
        for (JsonNode fork : forks) {
            if (fork.isMissingNode()) {
                data.addArray();
            }
            fork.path(raw).forEach(data::add);
        }
        return data;
    }

    /** The samples of all forks. An iteration is a number or, for histograms, a list of pairs of value and count. */
    private static List<Sample> samples(JsonNode data) {
        List<Sample> samples = new ArrayList<>();
        for (JsonNode fork : data) {
            for (JsonNode iteration : fork) {
                if (iteration.isArray()) {
                    iteration.forEach(pair -> samples.add(
                            new Sample(number(pair.get(0)), pair.get(1).asLong())));
                } else {
                    samples.add(new Sample(number(iteration), 1));
                }
            }
        }
        return samples;
    }

    private static ObjectNode metric(
            JsonNode like, double score, double error, List<Sample> samples, String raw, ArrayNode data) {
        ObjectNode metric = JSON.objectNode();
        metric.put("score", score);
        metric.put("scoreError", error);
        ArrayNode confidence = metric.putArray("scoreConfidence");
        confidence.add(Double.isNaN(error) ? score : score - error);
        confidence.add(Double.isNaN(error) ? score : score + error);
        ObjectNode percentiles = metric.putObject("scorePercentiles");
        samples.sort(Comparator.comparingDouble(Sample::value));
        for (String percentile : PERCENTILES) {
            percentiles.put(percentile, percentile(samples, Double.parseDouble(percentile)));
        }
        metric.set("scoreUnit", like.path("scoreUnit"));
        metric.set(raw, data);
        return metric;
    }

    private record Sample(double value, long count) {}

    /** Whether JMH reported the sum or maximum over iterations, which has no error, instead of the mean. */
    private static boolean isSummed(JsonNode fork, int iterations) {
        if (fork.isMissingNode()) {
            return false;
        }
        double score = number(fork.path("score"));
        return (iterations > 2 && Double.isNaN(number(fork.path("scoreError"))))
                || Math.abs(score - mean(samples(fork.path("rawData")))) > 1e-6 * Math.abs(score);
    }

    private static long count(List<Sample> samples) {
        return samples.stream().mapToLong(Sample::count).sum();
    }

    private static double mean(List<Sample> samples) {
        return samples.stream()
                        .mapToDouble(each -> each.value * (double) each.count)
                        .sum()
                / (double) count(samples);
    }

    private static double error(List<Sample> samples, double mean) {
        long n = count(samples);
        if (n <= 2) {
            return Double.NaN;
        }
        double squares = samples.stream()
                .mapToDouble(each -> (double) each.count * (each.value - mean) * (each.value - mean))
                .sum();
        double quantile = TDistribution.of((double) (n - 1)).inverseSurvivalProbability((1 - CONFIDENCE) / 2);
        return quantile * Math.sqrt(squares / (double) (n - 1) / (double) n);
    }

    /** The value at position p (n + 1), interpolated as JMH does. */
    private static double percentile(List<Sample> sorted, double percent) {
        if (sorted.isEmpty()) {
            return Double.NaN;
        }
        long n = count(sorted);
        double position = percent / 100 * (double) (n + 1);
        long below = (long) Math.floor(position);
        if (below < 1) {
            return sorted.getFirst().value;
        }
        if (below >= n) {
            return sorted.getLast().value;
        }
        double lower = at(sorted, below - 1);
        return lower + (position - (double) below) * (at(sorted, below) - lower);
    }

    private static double at(List<Sample> sorted, long index) {
        long seen = 0;
        for (Sample sample : sorted) {
            seen += sample.count;
            if (index < seen) {
                return sample.value;
            }
        }
        return sorted.getLast().value;
    }

    private static double number(JsonNode value) {
        return value.isTextual() ? Double.parseDouble(value.textValue()) : value.doubleValue();
    }
}
