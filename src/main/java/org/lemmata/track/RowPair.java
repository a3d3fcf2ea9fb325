package org.lemmata.track;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lemmata.statistic.Center;
import org.lemmata.statistic.RatioBootstrap;
import org.lemmata.statistic.RatioEstimate;

/**
 * A row of both sides of a comparison.
 *
 * @param paired whether fork i of one side was measured together with fork i of the other
 * @param together the ratios of forks that ran simultaneously, if there are any
 * @param pinning how pinning disturbed, or would disturb, one of the sides; otherwise empty
 */
record RowPair(BenchmarkRow baseline, BenchmarkRow current, boolean paired, DuetRatios together, String pinning) {

    /** The secondary metric that counts floating-point operations. */
    static final String FLOPS = "gigaflops";

    /** Whether benchmarks of different classes are compared by their floating-point rates: both must have them. */
    static boolean byFlops(BenchmarkRow baseline, BenchmarkRow current) {
        return !baseline.benchmarkClass().equals(current.benchmarkClass())
                && !baseline.rates(FLOPS).isEmpty()
                && !current.rates(FLOPS).isEmpty();
    }

    List<List<Double>> speeds(BenchmarkRow row) {
        return byFlops(baseline, current) ? row.rates(FLOPS) : row.speeds();
    }

    /** The look at which the row ended. The first look follows four forks per side, each later look two more. */
    int look(int looks) {
        int forks = Math.min(baseline.samples().size(), current.samples().size());
        return Math.clamp(Math.ceilDiv(forks, 2) - 1, 1, looks);
    }

    boolean hasMetric(String metric) {
        return baseline.secondary().containsKey(metric) && current.secondary().containsKey(metric);
    }

    /** The metrics that are compared in addition to the score: the parts of a group, and {@code chosen} metrics. */
    Stream<RowPair> ofMetrics(List<String> chosen) {
        return Stream.concat(current.groupParts().stream(), chosen.stream())
                .distinct()
                .filter(this::hasMetric)
                .map(this::ofMetric);
    }

    /** A metric as its own row. If pinning or iterations left out disturbed a duet, rates and times have no ratio. */
    private RowPair ofMetric(String metric) {
        BenchmarkRow now = current.metric(metric);
        boolean disturbed = together.isMostlyLeftOut() || (together.iterations() > 0 && !pinning.isEmpty());
        boolean excluded = disturbed && ScoreUnit.of(now.unit()).isPresent();
        return new RowPair(
                baseline.metric(metric).inUnitOf(now),
                now,
                paired,
                excluded ? new DuetRatios(List.of(), together.leftOut(), together.iterations()) : DuetRatios.NONE,
                excluded ? pinning : "");
    }

    /** Why this pair has no ratio; null if it has a ratio. */
    @Nullable
    String obstacle() {
        if (baseline.samples().isEmpty() || current.samples().isEmpty()) {
            return "no samples: in mode sample, JMH stores only a histogram";
        }
        if (!baseline.mode().equals(current.mode()) || !baseline.unit().equals(current.unit())) {
            return "in " + baseline.unit() + " (" + baseline.mode() + "), now " + current.unit() + " (" + current.mode()
                    + ")";
        }
        if (!BenchmarkRow.areSound(baseline.samples()) || !BenchmarkRow.areSound(current.samples())) {
            return "a fork without scores, or with one that is not from 1e-150 to 1e150";
        }
        if (together.iterations() > 0 && !pinning.isEmpty()) {
            return pinning;
        }
        return together.iterations() > 0 && together.pairs().isEmpty()
                ? (together.leftOut() < together.iterations() ? "too few" : "no")
                        + " iterations of the two sides ran together"
                : null;
    }

    RatioEstimate estimate(Center center) {
        if (!together.pairs().isEmpty()) {
            return RatioBootstrap.together(together.pairs(), center);
        }
        List<List<Double>> now = speeds(current);
        List<List<Double>> before = speeds(baseline);
        return paired && now.size() == before.size()
                ? RatioBootstrap.paired(now, before, center)
                : RatioBootstrap.unpaired(now, before, center);
    }
}
