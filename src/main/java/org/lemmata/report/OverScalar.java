package org.lemmata.report;

import java.util.Optional;
import org.lemmata.report.plot.NumberText;
import org.lemmata.statistic.Center;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.RatioBootstrap;
import org.lemmata.statistic.RatioEstimate;
import org.lemmata.track.BenchmarkRow;

/**
 * The speed of a row relative to its scalar reference, in any mode. As in comparisons, speeds are means over forks of
 * the median iteration; without sound data of two forks per row, speeds are JMH's scores.
 *
 * @param ratio the ratio of speeds
 * @param interval the 95% interval; empty without these data
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

    /** The interval as text, or the reason why there is none. */
    public String rangeText() {
        return interval.map(NumberText::range).orElse("one fork");
    }
}
