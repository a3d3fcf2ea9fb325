package org.lemmata.report;

import java.util.DoubleSummaryStatistics;
import java.util.List;
import org.lemmata.report.plot.NumberText;
import org.lemmata.track.BenchmarkRow;

/**
 * How many times as fast one benchmark is as another, with the minimum and the maximum ratio of any two of their forks.
 *
 * @param ratio above 1 where it is faster, whatever the mode
 * @param low the minimum ratio of a fork of each; equal to {@code ratio} where there is one fork
 * @param high the maximum
 * @param forks whether there are several forks to take a range from
 */
record Speedup(double ratio, double low, double high, boolean forks) {

    static Speedup of(BenchmarkRow slow, BenchmarkRow fast) {
        boolean higher = fast.higherIsFaster();
        double ratio = higher ? fast.score() / slow.score() : slow.score() / fast.score();
        if (slow.forkMeans().size() < 2 || fast.forkMeans().size() < 2) {
            return new Speedup(ratio, ratio, ratio, false);
        }
        DoubleSummaryStatistics over = statistics(higher ? fast.forkMeans() : slow.forkMeans());
        DoubleSummaryStatistics under = statistics(higher ? slow.forkMeans() : fast.forkMeans());
        return new Speedup(ratio, over.getMin() / under.getMax(), over.getMax() / under.getMin(), true);
    }

    /** The range, or what keeps it from being given. */
    String rangeText() {
        return forks ? NumberText.ratio(low) + "–" + NumberText.ratio(high) : "one fork";
    }

    private static DoubleSummaryStatistics statistics(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).summaryStatistics();
    }
}
