package org.lemmata.track;

import java.util.List;
import org.lemmata.statistic.Center;
import org.lemmata.statistic.RatioBootstrap;
import org.lemmata.statistic.RatioEstimate;

/**
 * How fast one thing is beside another of the same run: unlike a speed, it carries from machine to machine.
 *
 * @param row what is measured
 * @param reference what it is held against
 * @param over what the reference is called: "scalar"
 * @param numerator speeds [fork][iteration] of the row, greater is faster
 * @param denominator those of the reference
 * @param together ratios of the forks that ran at the same time, if any
 */
record PortableRatio(
        BenchmarkRow row,
        BenchmarkRow reference,
        String over,
        List<List<Double>> numerator,
        List<List<Double>> denominator,
        DuetRatios together) {

    public PortableRatio {
        numerator = numerator.stream().map(List::copyOf).toList();
        denominator = denominator.stream().map(List::copyOf).toList();
    }

    boolean isDuet() {
        return !together.pairs().isEmpty();
    }

    RatioEstimate estimate() {
        return isDuet()
                ? RatioBootstrap.together(together.pairs(), Center.MEAN_OF_MEDIANS)
                : RatioBootstrap.unpaired(numerator, denominator, Center.MEAN_OF_MEDIANS);
    }

    /** Forks, or pairs of them, of the side that has fewer. */
    int forks() {
        return isDuet() ? together.pairs().size() : Math.min(numerator.size(), denominator.size());
    }

    /** Tells the ratio apart from the others of its run: "org.lemmata.X.vector columns=1024 (thrpt) over scalar". */
    public String name() {
        return row.key() + " over " + over;
    }
}
