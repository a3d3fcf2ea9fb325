package org.lemmata.track;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lemmata.statistic.Center;
import org.lemmata.statistic.Median;
import org.lemmata.statistic.RatioBootstrap;
import org.lemmata.statistic.RatioEstimate;

/**
 * The speed of a row relative to another row of the same run. Unlike speeds, ratios differ between machines with the
 * same vector width only by tens of percent. Vector rows are divided by their scalar references. Floating-point rates
 * are divided by the rate of fused multiply-adds in registers on the same number of threads.
 *
 * @param over the name of the reference, such as "scalar"
 * @param together whether the forks of a pair ran simultaneously
 * @param pairs one ratio per pair of forks: for duets, the ratio of their fastest iterations
 *     ({@link DuetRatios#ofFastest}); otherwise the ratio of medians
 */
public record RunRatio(String over, boolean together, List<Double> pairs) {

    private static final String MACHINE = "MachineBenchmark";
    private static final String PEAK = "fma";

    public RunRatio {
        pairs = List.copyOf(pairs);
        if (!BenchmarkRow.areSound(List.of(pairs))) {
            throw new IllegalArgumentException("expected positive finite ratios, got " + pairs);
        }
    }

    /** The ratios of a row to its references; empty if it has none. {@code session} has the times of forks. */
    static List<RunRatio> of(
            BenchmarkRow row, List<BenchmarkRow> rows, ScalarReference references, @Nullable BenchmarkSession session) {
        Optional<RunRatio> scalar = references
                .of(row)
                .flatMap(found -> ratio(row, found, found.method(), BenchmarkRow::speeds, rows, session));
        Optional<RunRatio> peak = rows.stream()
                .filter(other -> other.method().equals(PEAK)
                        && other.simpleClass().equals(MACHINE)
                        && !row.simpleClass().equals(MACHINE)
                        && other.mode().equals(row.mode())
                        && other.threads().equals(row.threads()))
                .findFirst()
                .flatMap(found ->
                        ratio(row, found, PEAK + " in flops", each -> each.rates(RowPair.FLOPS), rows, session));
        return Stream.concat(scalar.stream(), peak.stream()).toList();
    }

    private static Optional<RunRatio> ratio(
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
        List<Double> duets = session == null
                ? List.of()
                : DuetRatios.ofFastest(
                        new DuetRatios.Side(numerator, List.of(), session.runs(rows, rows.indexOf(row))),
                        new DuetRatios.Side(denominator, List.of(), session.runs(rows, rows.indexOf(reference))));
        List<Double> inTurn = IntStream.range(0, Math.min(numerator.size(), denominator.size()))
                .mapToObj(fork -> Median.of(numerator.get(fork)) / Median.of(denominator.get(fork)))
                .toList();
        return Optional.of(new RunRatio(over, !duets.isEmpty(), duets.isEmpty() ? inTurn : duets));
    }

    /** The estimate from the first {@code most} pairs of forks. */
    RatioEstimate estimate(int most) {
        return RatioBootstrap.together(pairs.stream().limit(most).map(List::of).toList(), Center.MEAN_OF_MEDIANS);
    }
}
