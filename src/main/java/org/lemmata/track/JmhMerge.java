package org.lemmata.track;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * One row of JMH's results from the rows of runs with one fork each, with the statistics that JMH itself would have
 * written for all forks in one run: mean, half of the interval at 99.9%, percentiles.
 *
 * <p>One thing differs. What JMH adds up over a run, such as events and collections of garbage, is here the mean of the
 * forks: of one fork, whatever their number.
 */
public final class JmhMerge {

    private static final double CONFIDENCE = 0.999;

    private static final List<String> PERCENTILES =
            List.of("0.0", "50.0", "90.0", "95.0", "99.0", "99.9", "99.99", "99.999", "99.9999", "100.0");

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private JmhMerge() {}

    /**
     * Merges the forks of one row.
     *
     * @param forks rows of one benchmark, mode and parameter set, in the order of the forks; at least one
     * @return a row of as many forks
     */
    public static ObjectNode merge(List<? extends JsonNode> forks) {
        ObjectNode row = forks.getFirst().deepCopy();
        if (forks.size() == 1) {
            return row;
        }
        row.put("forks", forks.size());
        row.set("primaryMetric", metric(forks.stream().map(fork -> fork.get("primaryMetric")).toList()));
        ObjectNode secondary = row.putObject("secondaryMetrics");
        for (Map.Entry<String, JsonNode> entry : forks.getFirst().get("secondaryMetrics").properties()) {
            List<JsonNode> metrics = forks.stream()
                    .map(fork -> fork.get("secondaryMetrics").get(entry.getKey()))
                    .filter(metric -> metric != null)
                    .toList();
            secondary.set(entry.getKey(), metric(metrics));
        }
        return row;
    }

    private static ObjectNode metric(List<JsonNode> forks) {
        ObjectNode metric = JSON.objectNode();
        String raw = forks.getFirst().has("rawDataHistogram") ? "rawDataHistogram" : "rawData";
        List<Sample> samples = new ArrayList<>();
        ArrayNode data = JSON.arrayNode();
        boolean summed = false;
        for (JsonNode fork : forks) {
            List<Sample> ofFork = new ArrayList<>();
            for (JsonNode part : fork.path(raw)) {
                data.add(part);
                collect(part, ofFork);
            }
            samples.addAll(ofFork);
            summed |= isSummed(fork, ofFork);
        }
        double score = summed || samples.isEmpty()
                ? forks.stream().mapToDouble(fork -> number(fork.get("score"))).average().orElse(Double.NaN)
                : mean(samples);
        double error = summed ? Double.NaN : error(samples, score);
        put(metric, "score", score);
        put(metric, "scoreError", error);
        ArrayNode confidence = metric.putArray("scoreConfidence");
        add(confidence, Double.isNaN(error) ? score : score - error);
        add(confidence, Double.isNaN(error) ? score : score + error);
        ObjectNode percentiles = metric.putObject("scorePercentiles");
        samples.sort(Comparator.comparingDouble(Sample::value));
        for (String percentile : PERCENTILES) {
            put(percentiles, percentile, percentile(samples, Double.parseDouble(percentile)));
        }
        metric.set("scoreUnit", forks.getFirst().get("scoreUnit"));
        metric.set(raw, data);
        return metric;
    }

    /** A value, and how often it was seen. */
    private record Sample(double value, long count) {}

    /** An iteration is a number, or in a histogram pairs of a value and a count. */
    private static void collect(JsonNode fork, List<Sample> samples) {
        for (JsonNode iteration : fork) {
            if (iteration.isArray()) {
                iteration.forEach(pair -> samples.add(new Sample(number(pair.get(0)), pair.get(1).asLong())));
            } else {
                samples.add(new Sample(number(iteration), 1));
            }
        }
    }

    /** Whether JMH gave the sum, or the greatest, of the iterations in place of their mean. */
    private static boolean isSummed(JsonNode fork, List<Sample> samples) {
        double score = number(fork.get("score"));
        return samples.isEmpty() || Math.abs(score - mean(samples)) > 1e-6 * Math.abs(score);
    }

    private static long count(List<Sample> samples) {
        return samples.stream().mapToLong(Sample::count).sum();
    }

    private static double mean(List<Sample> samples) {
        return samples.stream().mapToDouble(each -> each.value * (double) each.count).sum() / (double) count(samples);
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

    /** By the position p (n + 1), interpolated, as JMH does. */
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

    /** JSON has no number for NaN: JMH writes a string. */
    private static void put(ObjectNode node, String name, double value) {
        if (Double.isFinite(value)) {
            node.put(name, value);
        } else {
            node.put(name, Double.toString(value));
        }
    }

    private static void add(ArrayNode node, double value) {
        if (Double.isFinite(value)) {
            node.add(value);
        } else {
            node.add(Double.toString(value));
        }
    }
}
