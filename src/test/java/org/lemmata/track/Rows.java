package org.lemmata.track;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lemmata.statistic.Center;
import org.lemmata.statistic.Interval;
import org.lemmata.track.ComparisonRow.Change;

/** Rows of JMH's results, and of comparisons, for tests. */
public final class Rows {

    private Rows() {}

    static BenchmarkRow with(BenchmarkRow row, BenchmarkRow.RunOptions settings) {
        return with(row, row.method(), settings, row.samples());
    }

    static BenchmarkRow with(
            BenchmarkRow row, String method, BenchmarkRow.RunOptions settings, List<List<Double>> samples) {
        return new BenchmarkRow(
                row.benchmarkClass(),
                method,
                row.mode(),
                row.params(),
                settings,
                row.score(),
                row.error(),
                row.unit(),
                samples.size(),
                samples,
                row.secondary(),
                "");
    }

    /** The default options except for these. */
    static ComparisonOptions options(Center center, double margin, List<String> metrics) {
        ComparisonOptions usual = ComparisonOptions.DEFAULT;
        return new ComparisonOptions(
                center, usual.alpha(), margin, List.of(), usual.allowed(), usual.include(), metrics);
    }

    /** A row of ten forks per side without parameters, with a margin of 2%. */
    public static ComparisonRow compared(
            String benchmark, Change verdict, double ratio, Interval interval, double noiseFloor) {
        return compared(benchmark, Map.of(), verdict, ratio, interval, noiseFloor, null);
    }

    public static ComparisonRow compared(
            String benchmark,
            Map<String, String> params,
            Change verdict,
            double ratio,
            Interval interval,
            double noiseFloor,
            @Nullable Integer forksNeeded) {
        return new ComparisonRow(
                benchmark,
                "avgt",
                new LinkedHashMap<>(params),
                verdict,
                ratio,
                interval,
                noiseFloor,
                0.02,
                10,
                forksNeeded,
                "",
                null);
    }
}
