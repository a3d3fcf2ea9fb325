package org.lemmata.track;

import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Median;
import org.lemmata.track.History.HistoryEntry;

/**
 * Compares each row of the latest run in a history with the median of up to {@value #MOST_RUNS} earlier runs on the
 * same machine with the same settings.
 *
 * <p>Let m be the median of the n earlier runs' log speeds, h = ⌊n / 2⌋, and s the mean distance of the h slowest from
 * m. If log speeds below the median are distributed exponentially, then a run without any change lies further than d
 * below m with probability (1 + d / (h s))^-h / 2. This is exact for odd n, because such distances have no memory
 * (Rényi 1953, "On the Theory of Order Statistics"); for even n, the probability is up to 1.5 times as high. A row is
 * slower if this probability is less than {@value #ALARMS} / c, where c is the number of rows with enough earlier runs
 * (Bonferroni); it is faster by the same rule with the h fastest. Noise with lighter tails, such as normal noise,
 * raises fewer alarms. docs/regression.md has the rates.
 *
 * @param rows the rows of the latest run, in the order of the history
 */
public record HistoryComparison(List<Row> rows) {

    /** The minimum number of earlier runs for a verdict. */
    public static final int FEWEST_RUNS = 5;

    /** The maximum number of earlier runs that count. */
    public static final int MOST_RUNS = 20;

    /** The minimum of s. Scores have few digits, so several may be equal. */
    private static final double LEAST_SPREAD = 1e-6;

    /** The maximum probability that any unchanged row is called slower, for odd n and exponential tails. */
    public static final double ALARMS = 0.025;

    /**
     * A row of the latest run.
     *
     * @param run the row
     * @param earlier the number of earlier runs with which it is compared
     * @param ratio the speed relative to the median of the earlier runs; NaN if there are none
     * @param expected the interval in which the ratio is expected if nothing changed; NaN if there are too few runs
     */
    public record Row(HistoryEntry run, int earlier, double ratio, Interval expected) {

        private static Row of(List<HistoryEntry> runs, double alarms) {
            HistoryEntry latest = runs.getLast();
            double[] logs = runs.subList(Math.max(0, runs.size() - 1 - MOST_RUNS), runs.size() - 1).stream()
                    .mapToDouble(HistoryEntry::logSpeed)
                    .sorted()
                    .toArray();
            double median = logs.length == 0 ? Double.NaN : Median.of(logs);
            int half = logs.length / 2;
            double[] slow =
                    Arrays.stream(logs, 0, half).map(log -> median - log).toArray();
            double[] fast = Arrays.stream(logs, logs.length - half, logs.length)
                    .map(log -> log - median)
                    .toArray();
            Interval expected = logs.length < FEWEST_RUNS
                    ? new Interval(Double.NaN, Double.NaN)
                    : new Interval(Math.exp(-limit(slow, alarms)), Math.exp(limit(fast, alarms)));
            return new Row(latest, logs.length, Math.exp(latest.logSpeed() - median), expected);
        }

        /** The distance d from the median that is exceeded with probability p: h s ((2 p)^(-1 / h) - 1). */
        private static double limit(double[] distances, double probability) {
            double spread = Math.max(Arrays.stream(distances).sum(), LEAST_SPREAD * distances.length);
            return spread * (Math.pow(2 * probability, -1.0 / distances.length) - 1);
        }

        public boolean slower() {
            return ratio < expected.low();
        }

        public boolean faster() {
            return ratio > expected.high();
        }
    }

    /** Compares the latest run of a history, which may be empty. */
    public static HistoryComparison of(List<HistoryEntry> history) {
        Optional<Instant> newest = history.stream().map(HistoryEntry::time).max(Comparator.naturalOrder());
        List<List<HistoryEntry>> series = History.series(history).values().stream()
                .filter(runs -> newest.equals(Optional.of(runs.getLast().time())))
                .toList();
        long questions =
                series.stream().filter(runs -> runs.size() > FEWEST_RUNS).count();
        return new HistoryComparison(series.stream()
                .map(runs -> Row.of(runs, ALARMS / Math.max(1, questions)))
                .toList());
    }

    public boolean regression() {
        return rows.stream().anyMatch(Row::slower);
    }

    public boolean conclusive() {
        return rows.stream().anyMatch(row -> row.earlier >= FEWEST_RUNS);
    }
}
