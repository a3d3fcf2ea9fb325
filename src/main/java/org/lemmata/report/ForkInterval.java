package org.lemmata.report;

import java.util.List;
import java.util.Optional;
import org.lemmata.statistic.Interval;
import org.lemmata.track.BenchmarkRow;

/**
 * The 95% interval of a row's score: Student's t interval of the logarithms of its forks' means. Logarithms are used
 * because speeds are compared by ratios.
 */
public final class ForkInterval {

    private ForkInterval() {}

    /** The interval of a row; empty for a single fork, because it does not show the spread between JVMs. */
    public static Optional<Interval> of(BenchmarkRow row) {
        return ofMeans(row.forkMeans());
    }

    /** The interval of samples, one list per fork. */
    public static Optional<Interval> of(List<List<Double>> samples) {
        return ofMeans(samples.stream()
                .filter(fork -> !fork.isEmpty())
                .map(fork ->
                        fork.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN))
                .toList());
    }

    private static Optional<Interval> ofMeans(List<Double> means) {
        double[] logs = means.stream().mapToDouble(Math::log).toArray();
        if (logs.length < 2) {
            return Optional.empty();
        }
        Interval interval = Interval.mean(logs);
        return Optional.of(new Interval(Math.exp(interval.low()), Math.exp(interval.high())));
    }
}
