package org.lemmata.track;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lemmata.statistic.Center;
import org.lemmata.statistic.RatioBootstrap;
import org.lemmata.statistic.RatioEstimate;

/**
 * How fast one thing is beside another of the same run: unlike a speed, it holds on all machines of one vector width.
 * Rows on lanes stand over their scalar references, and rates of arithmetic over that of fused multiply-adds in
 * registers on as many threads. Of forks that ran at the same time, where nothing disturbed them: see
 * {@link DuetRatios#ofFastest}.
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

    private static final String FLOPS = "gigaflops";
    private static final String MACHINE = "MachineBenchmark";
    private static final String PEAK = "fma";

    public PortableRatio {
        numerator = numerator.stream().map(List::copyOf).toList();
        denominator = denominator.stream().map(List::copyOf).toList();
    }

    /**
     * The ratios of a run, in the order of its rows; rows without samples have none.
     *
     * @param session of the run: forks of a row and its reference that ran at the same time are held against each other
     */
    public static List<PortableRatio> of(List<BenchmarkRow> rows, @Nullable BenchmarkSession session) {
        var ratios = new ArrayList<PortableRatio>();
        for (BenchmarkRow row : rows) {
            ScalarReference.of(row, rows)
                    .flatMap(scalar -> ratio(row, scalar, scalar.method(), BenchmarkRow::speeds, rows, session))
                    .ifPresent(ratios::add);
            if (!row.simpleClass().equals(MACHINE)) {
                peak(row, rows)
                        .flatMap(peak -> ratio(row, peak, PEAK + " in flops", r -> r.rates(FLOPS), rows, session))
                        .ifPresent(ratios::add);
            }
        }
        // Of a run whose rows ran beside their references, what did not is left out: it is far less certain.
        return ratios.stream().anyMatch(PortableRatio::isDuet)
                ? ratios.stream().filter(PortableRatio::isDuet).toList()
                : ratios;
    }

    private static Optional<BenchmarkRow> peak(BenchmarkRow row, List<BenchmarkRow> rows) {
        return rows.stream()
                .filter(other ->
                        other.simpleClass().equals(MACHINE) && other.method().equals(PEAK))
                .filter(other -> other.mode().equals(row.mode()))
                .filter(other -> other.threads().equals(row.threads()))
                .findFirst();
    }

    private static Optional<PortableRatio> ratio(
            BenchmarkRow row,
            BenchmarkRow reference,
            String over,
            Function<BenchmarkRow, List<List<Double>>> speeds,
            List<BenchmarkRow> rows,
            @Nullable BenchmarkSession session) {
        List<List<Double>> numerator = speeds.apply(row);
        List<List<Double>> denominator = speeds.apply(reference);
        if (numerator.isEmpty() || denominator.isEmpty()) {
            return Optional.empty();
        }
        DuetRatios duets = session == null
                ? DuetRatios.NONE
                : DuetRatios.ofFastest(
                        new DuetRatios.Side(numerator, row.operationMicros(), session.runs(rows, rows.indexOf(row))),
                        new DuetRatios.Side(
                                denominator, reference.operationMicros(), session.runs(rows, rows.indexOf(reference))));
        return Optional.of(new PortableRatio(row, reference, over, numerator, denominator, duets));
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
