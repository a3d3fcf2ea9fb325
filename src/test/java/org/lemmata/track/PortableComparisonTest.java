package org.lemmata.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.track.ComparisonRow.Verdict;

class PortableComparisonTest {

    private static final BenchmarkRow.Settings SETTINGS =
            new BenchmarkRow.Settings(1, "3 x 100 ms", "5 x 50 ms", List.of("-Xbatch"), "1.37");

    private static final String SOFTMAX = "org.lemmata.kernel.softmax.SoftmaxBenchmark";
    private static final String MATMUL = "org.lemmata.kernel.matmul.MatMulBenchmark";
    private static final String MACHINE = "org.lemmata.benchmark.MachineBenchmark";

    private static final String SOFTMAX_RATIO = SOFTMAX + ".vector columns=1024 threads=2 (thrpt) over scalar";
    private static final String MATMUL_RATIO = MATMUL + ".vector size=128 (thrpt) over fma in flops";

    @TempDir
    private Path directory;

    @Test
    void holdsLanesAgainstTheirScalarSiblingAndArithmeticAgainstThePeakOfAsManyThreads() {
        List<PortableRatio> ratios = PortableRatio.of(run(1, 1, 0.01, SETTINGS, 1), null);
        assertThat(ratios).extracting(PortableRatio::name).containsExactly(SOFTMAX_RATIO, MATMUL_RATIO);
        assertThat(ratios.getLast().denominator().getFirst().getFirst())
                .as("the rate of one thread, not of two")
                .isCloseTo(100, within(20.0));
        assertThat(ratios.getLast().numerator())
                .hasSize(3)
                .allSatisfy(fork -> assertThat(fork).hasSize(5));
    }

    @Test
    void timesCountAsTheirReciprocals() {
        List<BenchmarkRow> rows = List.of(
                row(SOFTMAX, "scalar", "avgt", Map.of(), List.of(List.of(8.0), List.of(8.0)), List.of(), SETTINGS),
                row(SOFTMAX, "vector", "avgt", Map.of(), List.of(List.of(2.0), List.of(2.0)), List.of(), SETTINGS));
        PortableRatio ratio = PortableRatio.of(rows, null).getFirst();
        assertThat(ratio.numerator()).isEqualTo(List.of(List.of(0.5), List.of(0.5)));
        assertThat(ratio.denominator()).isEqualTo(List.of(List.of(0.125), List.of(0.125)));
    }

    @Test
    void aSlowRowOnLanesIsFoundOnTheSameProcessorAndOnAnother() {
        for (String cpu : List.of("A", "B")) {
            PortableComparison comparison = compare(run(0.4, 1, 0.01, SETTINGS, 1), cpu);
            assertThat(comparison.sameProcessor()).isEqualTo(cpu.equals("A"));
            assertThat(comparison.regression()).as(cpu).isTrue();
            PortableComparison.Row row = comparison.rows().getFirst();
            assertThat(row.name()).isEqualTo(SOFTMAX_RATIO);
            assertThat(row.verdict()).isEqualTo(Verdict.SLOWER);
            assertThat(row.change()).isCloseTo(0.4, within(0.02));
            assertThat(comparison.rows().getLast().verdict()).isEqualTo(Verdict.SAME);
        }
    }

    @Test
    void aFifthIsARegressionOnTheSameProcessorOnly() {
        assertThat(compare(run(0.8, 1, 0.003, SETTINGS, 1), "A").regression()).isTrue();
        PortableComparison other = compare(run(0.8, 1, 0.003, SETTINGS, 1), "B");
        assertThat(other.regression()).isFalse();
        assertThat(other.differences()).containsExactly("processor: A in the baseline, B now");
    }

    @Test
    void aFasterMachineChangesNothing() {
        PortableComparison comparison = compare(run(1, 3, 0.01, SETTINGS, 1), "A");
        assertThat(comparison.rows())
                .extracting(PortableComparison.Row::verdict)
                .containsOnly(Verdict.SAME);
        assertThat(comparison.conclusive()).isTrue();
        assertThat(comparison.level()).isEqualTo(1 - 0.05 / 2);
    }

    @Test
    void noiseOfThreeForksIsNoRegression() {
        PortableComparison comparison = compare(run(0.7, 1, 0.3, SETTINGS, 1), "A");
        assertThat(comparison.regression()).isFalse();
        assertThat(comparison.conclusive()).isFalse();
        assertThat(comparison.rows())
                .extracting(PortableComparison.Row::verdict)
                .containsOnly(Verdict.INCONCLUSIVE);
    }

    @Test
    void otherSettingsAreAReasonAndNoVerdict() {
        var longer = new BenchmarkRow.Settings(1, "9 x 100 ms", "9 x 50 ms", List.of("-Xbatch"), "1.37");
        PortableComparison comparison = compare(run(0.4, 1, 0.01, longer, 1), "A");
        assertThat(comparison.refused())
                .isEqualTo("ratios: expected some that both runs have under equal settings, got none");
        assertThat(comparison.regression()).isFalse();
        assertThat(comparison.conclusive()).isFalse();
        assertThat(comparison.rows())
                .extracting(PortableComparison.Row::reason)
                .containsOnly("warm-up: expected 3 x 100 ms, got 9 x 100 ms");
    }

    @Test
    void ratiosOfOneSideAreNamed() {
        List<BenchmarkRow> whole = run(1, 1, 0.01, SETTINGS, 1);
        List<BenchmarkRow> part = whole.subList(0, 2);
        assertThat(compare(part, "A").rows().getLast().reason()).isEqualTo("only in the baseline");
        PortableComparison fewer = PortableComparison.of("", whole, record("A", 512), part, record("A", 512));
        assertThat(fewer.rows().getLast().reason()).isEqualTo("not in the baseline");
        assertThat(fewer.conclusive()).isFalse();
    }

    @Test
    void readsTheBaselineOfItsVectorWidth() throws Exception {
        assertThat(PortableBaseline.file(directory, record("A", 256).machine()))
                .contains(directory.resolve("simd-256.json"));
        Path results = directory.resolve("latest.json");
        record("A", 256).write(RunRecord.beside(results));
        assertThat(PortableBaseline.compare(results, directory).refused())
                .startsWith("portable baseline: expected " + directory.resolve("simd-256.json") + ", got none; ");
        PortableComparison widths = PortableComparison.of("", List.of(), record("A", 256), List.of(), record("A", 512));
        assertThat(widths.refused())
                .isEqualTo("vectors: expected those of the baseline, SIMD, 512-bit species (16 lanes), got SIMD,"
                        + " 256-bit species (16 lanes)");
    }

    @Test
    void narrowVectorsWithManyRegistersHaveTheirOwn() {
        MachineIdentity many = MachineIdentity.current("SIMD, 256-bit species (8 lanes), 32 registers");
        assertThat(PortableBaseline.file(directory, many)).contains(directory.resolve("simd-256-32-registers.json"));
        assertThat(PortableBaseline.file(directory, MachineIdentity.current("scalar")))
                .isEmpty();
    }

    private static PortableComparison compare(List<BenchmarkRow> current, String cpu) {
        return PortableComparison.of("", current, record(cpu, 512), run(1, 1, 0.01, SETTINGS, 2), record("A", 512));
    }

    private static RunRecord record(String cpu, int bits) {
        var machine = new MachineIdentity(
                cpu, 2, 0, "Linux", "25", List.of(), "SIMD, " + bits + "-bit species (16 lanes)", "unknown");
        return new RunRecord("c0ffee", Instant.parse("2026-11-20T12:34:56Z"), List.of(), machine, null);
    }

    /**
     * A run of three forks.
     *
     * @param softmax how many times as fast as it should be the softmax on lanes is
     * @param speed of the whole machine
     * @param noise by which forks differ, on the log scale
     */
    private static List<BenchmarkRow> run(
            double softmax, double speed, double noise, BenchmarkRow.Settings settings, long seed) {
        var random = new Random(seed);
        return List.of(
                row(
                        SOFTMAX,
                        "scalar",
                        Map.of("columns", "1024", "threads", "1"),
                        speed * 10,
                        0,
                        noise,
                        settings,
                        random),
                row(
                        SOFTMAX,
                        "vector",
                        Map.of("columns", "1024", "threads", "2"),
                        softmax * speed * 80,
                        0,
                        noise,
                        settings,
                        random),
                row(MACHINE, "fma", Map.of("threads", "2"), speed, speed * 200, noise, settings, random),
                row(MACHINE, "fma", Map.of("threads", "1"), speed, speed * 100, noise, settings, random),
                row(MATMUL, "vector", Map.of("size", "128"), speed, speed * 60, noise, settings, random));
    }

    private static BenchmarkRow row(
            String benchmarkClass,
            String method,
            Map<String, String> params,
            double score,
            double gigaflops,
            double noise,
            BenchmarkRow.Settings settings,
            Random random) {
        var samples = new ArrayList<List<Double>>();
        var flops = new ArrayList<Double>();
        for (int fork = 0; fork < 3; fork++) {
            double level = Math.exp(noise * random.nextGaussian());
            var iterations = new ArrayList<Double>();
            for (int iteration = 0; iteration < 5; iteration++) {
                double value = level * Math.exp(0.2 * noise * random.nextGaussian());
                iterations.add(score * value);
                flops.add(gigaflops * value);
            }
            samples.add(iterations);
        }
        return row(benchmarkClass, method, "thrpt", params, samples, flops, settings);
    }

    private static BenchmarkRow row(
            String benchmarkClass,
            String method,
            String mode,
            Map<String, String> params,
            List<List<Double>> samples,
            List<Double> flops,
            BenchmarkRow.Settings settings) {
        var secondary = new LinkedHashMap<String, BenchmarkRow.Metric>();
        secondary.put("gigaflops", new BenchmarkRow.Metric(1, Double.NaN, "ops/s", flops));
        var sorted = new LinkedHashMap<String, String>();
        params.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
        return new BenchmarkRow(
                benchmarkClass,
                method,
                mode,
                sorted,
                settings,
                new BenchmarkRow.Score(1, Double.NaN, "ops/s"),
                samples.size(),
                samples,
                secondary);
    }
}
