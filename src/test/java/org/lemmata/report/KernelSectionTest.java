package org.lemmata.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.lemmata.report.plot.NumberText;
import org.lemmata.statistic.Center;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.RatioBootstrap;
import org.lemmata.track.BenchmarkRow;

class KernelSectionTest {

    private static final List<List<Double>> SLOW =
            List.of(List.of(10.0, 11.0), List.of(12.0, 12.5), List.of(9.5, 10.0));
    private static final List<List<Double>> FAST =
            List.of(List.of(41.0, 40.0), List.of(44.0, 45.0), List.of(43.0, 42.0));

    @Test
    void everyRowOnLanesHasItsRatioWithTheIntervalOverForks() {
        List<KernelSection.Row> rows = kernels(
                row("thrpt", "scalarBackward", SLOW),
                row("thrpt", "vectorBackward", FAST),
                row("thrpt", "vector", FAST));
        assertThat(rows).extracting(KernelSection.Row::kernel).containsExactly("MatMul, backward", "MatMul");
        Interval interval =
                RatioBootstrap.unpaired(FAST, SLOW, Center.MEAN_OF_MEDIANS).interval(0.95);
        assertThat(interval.low()).isLessThan(4);
        assertThat(rows.getFirst().ratio().note())
                .isEqualTo("[" + NumberText.ratio(interval.low()) + ", " + NumberText.ratio(interval.high()) + "]");
        assertThat(rows.getFirst().parameters()).isEqualTo("size\u00a064");
        assertThat(rows.getLast().ratio()).as("no reference").isEqualTo(KernelSection.Quantity.NONE);
    }

    @Test
    void timesDivideTheOtherWayRound() {
        KernelSection.Row row = kernels(row("avgt", "scalar", FAST), row("avgt", "vector", SLOW))
                .getFirst();
        assertThat(Double.parseDouble(row.ratio().value())).isGreaterThan(3.5);
        assertThat(row.ratio().note()).startsWith("[3");
    }

    @Test
    void oneForkTellsNoInterval() {
        KernelSection.Row row = kernels(row("thrpt", "scalar", SLOW.subList(0, 1)), row("thrpt", "vector", FAST))
                .getFirst();
        assertThat(row.ratio().note()).isEqualTo("one fork");
    }

    private static List<KernelSection.Row> kernels(BenchmarkRow... rows) {
        return Objects.requireNonNull(
                        KernelSection.of(new ReportInput.Benchmarks("f", List.of(rows), null), Tracking.NONE))
                .rows();
    }

    private static BenchmarkRow row(String mode, String method, List<List<Double>> samples) {
        return DemoInput.row(
                "org.lemmata.kernel.MatMulBenchmark." + method,
                mode,
                mode.equals("thrpt") ? "ops/s" : "ns/op",
                DemoInput.mean(samples),
                Map.of("size", "64"),
                samples,
                Map.of());
    }
}
