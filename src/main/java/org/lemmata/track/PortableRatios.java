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

    /**
     * The ratios of a run, in the order of its rows; rows without samples have none.
     *
     * @param session of the run: forks of a row and its reference that ran at the same time are held against each other
     */
    public static List<PortableRatio> of(List<BenchmarkRow> rows, @Nullable BenchmarkSession session) {
        var ratios = new ArrayList<PortableRatio>();
        for (BenchmarkRow row : rows) {
            ScalarReference.of(row, rows)
                    .ifPresent(
                            scalar -> ratio(row, row.speeds(), scalar.method(), scalar, scalar.speeds(), rows, session)
                                    .ifPresent(ratios::add));
            if (!row.simpleClass().equals(MACHINE)) {
                peak(row, rows)
                        .ifPresent(peak -> ratio(
                                        row,
                                        row.rates(FLOPS),
                                        PEAK + " in flops",
                                        peak,
                                        peak.rates(FLOPS),
                                        rows,
                                        session)
                                .ifPresent(ratios::add));
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
            List<List<Double>> numerator,
            String over,
            BenchmarkRow reference,
            List<List<Double>> denominator,
            List<BenchmarkRow> rows,
            @Nullable BenchmarkSession session) {
        if (numerator.isEmpty() || denominator.isEmpty()) {
            return Optional.empty();
        }
        DuetRatios duets = session == null
                ? DuetRatios.NONE
                : DuetRatios.of(
                        new DuetRatios.Side(numerator, row.operationMicros(), session.runs(rows, rows.indexOf(row))),
                        new DuetRatios.Side(
                                denominator, reference.operationMicros(), session.runs(rows, rows.indexOf(reference))));
        return Optional.of(new PortableRatio(row, reference, over, numerator, denominator, duets));
    }
}
