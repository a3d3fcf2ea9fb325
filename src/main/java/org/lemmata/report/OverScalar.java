package org.lemmata.report;

import java.util.Optional;
import org.lemmata.report.plot.NumberText;
import org.lemmata.statistic.Center;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.RatioBootstrap;
import org.lemmata.statistic.RatioEstimate;
import org.lemmata.track.BenchmarkRow;

/**
 * How many times as fast a row is as its scalar reference, whatever the mode: by the mean over forks of each one's
 * median iteration, as comparisons do; by JMH's scores where there are no forks to take it from.
 *
 * @param interval at 95%; empty where there are no forks to take it from
 */
public record OverScalar(double ratio, Optional<Interval> interval) {

    private static final double LEVEL = 0.95;

    public static OverScalar of(BenchmarkRow scalar, BenchmarkRow row) {
        boolean higher = row.higherIsFaster();
        BenchmarkRow over = higher ? row : scalar;
        BenchmarkRow under = higher ? scalar : row;
        if (Math.min(over.samples().size(), under.samples().size()) < 2
                || !BenchmarkRow.areSound(over.samples())
                || !BenchmarkRow.areSound(under.samples())) {
            return new OverScalar(over.score() / under.score(), Optional.empty());
        }
        RatioEstimate estimate = RatioBootstrap.unpaired(over.samples(), under.samples(), Center.MEAN_OF_MEDIANS);
        return new OverScalar(estimate.ratio(), Optional.of(estimate.interval(LEVEL)));
    }

    public String text() {
        return NumberText.ratio(ratio) + "×";
    }

    /** The interval, or what keeps it from being given. */
    public String rangeText() {
        return interval.map(NumberText::range).orElse("one fork");
    }
}
