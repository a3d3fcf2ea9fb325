package org.lemmata.track;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The ratios within one run that hold on all machines of one vector width: rows on lanes over their scalar references,
 * and rates of arithmetic over that of fused multiply-adds in registers on as many threads.
 */
public final class PortableRatios {

    private static final String FLOPS = "gigaflops";
    private static final String MACHINE = "MachineBenchmark";
    private static final String PEAK = "fma";

    private PortableRatios() {}

    /** The ratios of a run, in the order of its rows; rows without samples have none. */
    public static List<PortableRatio> of(List<BenchmarkRow> rows) {
        var ratios = new ArrayList<PortableRatio>();
        for (BenchmarkRow row : rows) {
            ScalarReference.of(row, rows)
                    .flatMap(scalar -> ratio(row, speeds(row), scalar.method(), scalar, speeds(scalar)))
                    .ifPresent(ratios::add);
            if (!row.simpleClass().equals(MACHINE)) {
                peak(row, rows)
                        .flatMap(peak -> ratio(row, flops(row), PEAK + " in flops", peak, flops(peak)))
                        .ifPresent(ratios::add);
            }
        }
        return ratios;
    }

    private static Optional<BenchmarkRow> peak(BenchmarkRow row, List<BenchmarkRow> rows) {
        return rows.stream()
                .filter(other ->
                        other.simpleClass().equals(MACHINE) && other.method().equals(PEAK))
                .filter(other -> other.mode().equals(row.mode()))
                .filter(other -> threads(other).equals(threads(row)))
                .findFirst();
    }

    /** What has no such parameter runs on the calling thread. */
    private static String threads(BenchmarkRow row) {
        return row.params().getOrDefault("threads", "1");
    }

    private static Optional<PortableRatio> ratio(
            BenchmarkRow row,
            List<List<Double>> numerator,
            String over,
            BenchmarkRow reference,
            List<List<Double>> denominator) {
        if (numerator.isEmpty() || denominator.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new PortableRatio(row, reference, over, numerator, denominator));
    }

    private static List<List<Double>> speeds(BenchmarkRow row) {
        return asSpeeds(row, row.samples());
    }

    /** The counter's iterations by fork: as many in each as the score has there. Of what does no arithmetic, none. */
    private static List<List<Double>> flops(BenchmarkRow row) {
        BenchmarkRow.@Nullable Metric metric = row.secondary().get(FLOPS);
        int iterations = row.samples().stream().mapToInt(List::size).sum();
        if (metric == null || metric.samples().size() != iterations) {
            return List.of();
        }
        var forks = new ArrayList<List<Double>>();
        int next = 0;
        for (List<Double> fork : row.samples()) {
            forks.add(metric.samples().subList(next, next + fork.size()));
            next += fork.size();
        }
        return asSpeeds(row, forks);
    }

    /** Empty where a sample is no speed; a counter of work goes with the mode, as the score does. */
    private static List<List<Double>> asSpeeds(BenchmarkRow row, List<List<Double>> samples) {
        boolean valid = samples.stream()
                .allMatch(fork -> !fork.isEmpty()
                        && fork.stream().allMatch(value -> value > 0 && value < Double.POSITIVE_INFINITY));
        if (!valid) {
            return List.of();
        }
        return row.higherIsFaster()
                ? samples
                : samples.stream()
                        .map(fork -> fork.stream().map(value -> 1 / value).toList())
                        .toList();
    }
}
