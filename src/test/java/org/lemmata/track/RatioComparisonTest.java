package org.lemmata.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.file.Json;
import org.lemmata.report.DemoInput;
import org.lemmata.track.ComparisonRow.Change;
import org.lemmata.track.History.HistoryEntry;
import org.lemmata.track.History.RunRatio;

class RatioComparisonTest {

    private static final BenchmarkRow.RunOptions SETTINGS =
            new BenchmarkRow.RunOptions(1, "3 x 100 ms", "5 x 50 ms", List.of("-Xbatch"), "1.37");

    private static final String SOFTMAX = "org.lemmata.kernel.softmax.SoftmaxBenchmark";
    private static final String MATMUL = "org.lemmata.kernel.matmul.MatMulBenchmark";
    private static final String MACHINE = "org.lemmata.benchmark.MachineBenchmark";

    private static final String FIRST = "no earlier run on this machine; recorded now";

    private static final Path PORTABLE = Path.of("jmh-results/portable");

    /** Arguments that force a width or a number of registers, as an element of a list. */
    private static final String FORCED = ",\\s*\"(-XX:UseAVX=\\d|-Dlemmata\\.simd\\.bits=\\d+)\"";

    @TempDir
    private Path directory;

    @Test
    void holdsLanesAgainstTheirScalarSiblingAndArithmeticAgainstThePeakOfAsManyThreads() {
        List<HistoryEntry> entries = HistoryEntry.ofRun(run(1, 1, 0.01, 1), record("A", 512));
        assertThat(entries).hasSize(5);
        RunRatio softmax = entries.get(1).ratios().getFirst();
        RunRatio product = entries.getLast().ratios().getFirst();
        assertThat(softmax.over()).isEqualTo("scalar");
        assertThat(softmax.pairs())
                .hasSize(3)
                .allSatisfy(ratio -> assertThat(ratio).isCloseTo(8, within(0.5)));
        assertThat(product.over()).isEqualTo("fma in flops");
        assertThat(product.pairs())
                .as("over the rate of one thread, not of two")
                .allSatisfy(ratio -> assertThat(ratio).isCloseTo(0.6, within(0.05)));
        assertThat(entries.stream().mapToInt(entry -> entry.ratios().size()).sum())
                .isEqualTo(2);
    }

    @Test
    void timesCountAsTheirReciprocals() {
        List<BenchmarkRow> rows = List.of(
                row(SOFTMAX, "scalar", "avgt", Map.of(), List.of(List.of(8.0), List.of(8.0)), List.of()),
                row(SOFTMAX, "vector", "avgt", Map.of(), List.of(List.of(2.0), List.of(2.0)), List.of()));
        assertThat(RunRatio.of(rows.getLast(), rows, new ScalarReference(rows), null)
                        .getFirst()
                        .pairs())
                .containsExactly(4.0, 4.0);
    }

    @Test
    void aSlowRowOnLanesIsFoundOnTheSameProcessorAndOnAnother() throws Exception {
        for (String cpu : List.of("A", "B")) {
            Comparison comparison = compare(run(0.4, 1, 0.01, 1), cpu);
            assertThat(comparison.with(Change.SLOWER)).as(cpu).singleElement().satisfies(row -> {
                assertThat(row.shortName())
                        .isEqualTo("SoftmaxBenchmark.vector columns=1024 threads=2 (thrpt) over scalar");
                assertThat(row.ratio()).isCloseTo(0.4, within(0.02));
                assertThat(row.margin()).isEqualTo(cpu.equals("A") ? 0.15 : 1);
            });
            assertThat(comparison.with(Change.SAME)).hasSize(1);
        }
    }

    @Test
    void aRunThatWasCutGivesNoVerdict() throws Exception {
        store(run(1, 1, 0.01, 2), record("A", 512));
        var session = new BenchmarkSession("id", "A", "", "", "jar", 0, List.of(), "cut", List.of(), Map.of());
        RunRecord record = record("A", 512).withSession(session);
        Comparison comparison = compare(now(run(0.4, 1, 0.01, 1), record));
        assertThat(comparison.rows())
                .extracting(ComparisonRow::verdict, ComparisonRow::note)
                .containsOnly(tuple(Change.INCONCLUSIVE, "cut"));
    }

    /** The first of thirteen ratios stops after two forks; the others continue to four. */
    @Test
    void aRatioThatStoppedKeepsItsVerdictWhateverTheOthersBecome() throws Exception {
        store(ratios(4, 4), record("A", 512));
        var session = new BenchmarkSession("id", "A", "", "", "jar", 3, List.of(), "", List.of(), Map.of());
        RunRecord record = record("A", 512).withSession(session);
        Comparison first = compare(now(ratios(2, 2), record));
        Comparison last = compare(now(ratios(2, 4), record));
        assertThat(method(first).sharedFreedom()).isPositive();
        assertThat(last.rows()).hasSize(13);
        assertThat(last.rows().getFirst()).isEqualTo(first.rows().getFirst());
        assertThat(last.rows().getLast().interval())
                .isNotEqualTo(first.rows().getLast().interval());
    }

    /** Thirteen rows with their references. A row's forks have the same scores in every call. */
    private static List<BenchmarkRow> ratios(int ofFirst, int ofOthers) {
        var rows = new ArrayList<BenchmarkRow>();
        for (int i = 0; i < 13; i++) {
            var random = new Random(i);
            int forks = i == 0 ? ofFirst : ofOthers;
            List<List<Double>> scores = Stream.generate(() -> List.of(8 * Math.exp(0.03 * random.nextGaussian())))
                    .limit(forks)
                    .toList();
            List<List<Double>> ones = Collections.nCopies(forks, List.of(1.0));
            Map<String, String> params = Map.of("columns", Integer.toString(i));
            rows.add(row(SOFTMAX, "scalar", "thrpt", params, ones, Collections.nCopies(forks, 1.0)));
            rows.add(row(SOFTMAX, "vector", "thrpt", params, scores, Collections.nCopies(forks, 1.0)));
        }
        return rows;
    }

    @Test
    void aFifthIsARegressionOnTheSameProcessorOnly() throws Exception {
        assertThat(compare(run(0.8, 1, 0.003, 1), "A").with(Change.SLOWER)).hasSize(1);
        Comparison other = compare(run(0.8, 1, 0.003, 1), "B");
        assertThat(other.with(Change.SLOWER)).isEmpty();
        assertThat(other.differences()).containsExactly("cpu: A, now B", FIRST);
    }

    @Test
    void aFasterMachineChangesNothing() throws Exception {
        Comparison comparison = compare(run(1, 3, 0.01, 1), "A");
        assertThat(comparison.with(Change.SAME)).hasSize(2);
        assertThat(comparison.inconclusive()).isFalse();
        assertThat(method(comparison).level()).isEqualTo(1 - 0.05 / 2);
    }

    @Test
    void noiseOfThreeForksIsNoRegression() throws Exception {
        Comparison comparison = compare(run(0.7, 1, 0.3, 1), "A");
        assertThat(comparison.with(Change.INCONCLUSIVE)).hasSize(2);
        assertThat(comparison.inconclusive()).isTrue();
    }

    @Test
    void otherSettingsAreSaidOnceAndGiveNoVerdict() throws Exception {
        var longer = new BenchmarkRow.RunOptions(1, "9 x 100 ms", "9 x 50 ms", List.of("-Xint"), "1.37");
        Comparison comparison = compare(
                run(0.4, 1, 0.01, 1).stream().map(row -> Rows.with(row, longer)).toList(), "A");
        assertThat(comparison.differences())
                .containsExactly(
                        "warm-up: 3 x 100 ms, now 9 x 100 ms in 2 rows",
                        "JVM arguments: -Xbatch, now -Xint in 2 rows",
                        FIRST);
        assertThat(comparison.with(Change.NOT_COMPARED)).hasSize(2);
        assertThat(comparison.inconclusive()).isTrue();
        assertThat(method(comparison).compared()).isZero();
    }

    @Test
    void ratiosOfOneSideAreNamed() throws Exception {
        List<BenchmarkRow> part = run(1, 1, 0.01, 1).subList(0, 2);
        assertThat(compare(part, "A").with(Change.GONE))
                .extracting(ComparisonRow::note)
                .containsExactly("only in simd-512.json");
        store(part, record("A", 512));
        Comparison more = compare(now(run(1, 1, 0.01, 1), record("A", 512)));
        assertThat(more.with(Change.NEW)).extracting(ComparisonRow::note).containsExactly("not in simd-512.json");
        assertThat(more.inconclusive()).isFalse();
    }

    @Test
    void withoutAnyBaselineItSaysWhichIsMissing() throws Exception {
        List<BenchmarkRow> rows = run(1, 1, 0.01, 1);
        assertThat(compare(now(rows, record("A", 256))).refused())
                .isEqualTo("portable baseline: expected " + directory.resolve("simd-256.json") + ", got none; "
                        + directory.resolve("README.md") + " explains how to make one; " + FIRST);
        assertThat(compare(now(rows, null)).refused()).isEqualTo("run record: expected one next to the results");
    }

    @Test
    void theLastRunOfAnotherCommitOnTheSameMachineIsABaselineToo() throws Exception {
        Path history = directory.resolve("history.jsonl");
        append(history, "A", 0, "0000000000", run(1, 1, 0.003, 1));
        append(history, "A", 1, "c0ffee1234", run(0.5, 1, 0.003, 2));
        append(history, "B", 2, "d0d0d0d0d0", run(9, 1, 0.003, 3));
        append(history, "A", 3, "beefbeefbe", run(0.45, 2, 0.003, 4));
        Comparison comparison = compare(now(run(0.45, 2, 0.003, 4), record("A", 512, 3, "beefbeefbe")));
        assertThat(comparison.refused()).isEmpty();
        assertThat(comparison.baseline()).isEqualTo("the last run on this machine");
        assertThat(comparison.rows())
                .hasSize(2)
                .allSatisfy(
                        row -> assertThat(Objects.requireNonNull(row.within()).beside())
                                .isEqualTo("c0ffee12 here"));
        assertThat(comparison.rows().getFirst().ratio()).isCloseTo(0.9, within(0.01));
        store(run(1, 1, 0.003, 5), record("Z", 512));
        Comparison both = compare(now(run(0.45, 2, 0.003, 4), record("A", 512, 3, "beefbeefbe")));
        assertThat(both.baseline()).isEqualTo(directory.resolve("simd-512.json") + " and the last run on this machine");
        assertThat(both.rows())
                .extracting(row -> Objects.requireNonNull(row.within()).beside(), ComparisonRow::margin)
                .containsExactly(
                        tuple("simd-512.json", 1.0),
                        tuple("simd-512.json", 1.0),
                        tuple("c0ffee12 here", 0.15),
                        tuple("c0ffee12 here", 0.15));
        assertThat(method(both).compared()).isEqualTo(4);
        assertThat(both.differences()).containsExactly("cpu: Z, now A");
    }

    /** A resumed run is appended when it ends, with the time of its first fork; so are lines of a merged history. */
    @Test
    void theLastRunIsTheNewestInWhateverOrderTheHistoryIs() throws Exception {
        Path history = directory.resolve("history.jsonl");
        append(history, "A", 2, "c0ffee1234", run(0.45, 1, 0.003, 1));
        append(history, "A", 1, "d0d0d0d0d0", run(1, 1, 0.003, 2));
        Comparison comparison = compare(now(run(0.45, 1, 0.003, 3), record("A", 512, 3, "beefbeefbe")));
        assertThat(comparison.rows())
                .extracting(row -> Objects.requireNonNull(row.within()).beside(), ComparisonRow::verdict)
                .containsExactly(tuple("c0ffee12 here", Change.SAME), tuple("c0ffee12 here", Change.SAME));
    }

    private void append(Path history, String cpu, int hour, String commit, List<BenchmarkRow> rows) throws Exception {
        History.append(history, rows, record(cpu, 512, hour, commit));
    }

    private static Stream<Path> committed() throws IOException {
        try (Stream<Path> files = Files.list(PORTABLE)) {
            return files
                    .filter(file -> file.toString().matches(".*simd-[^/]*(?<!run)\\.json"))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    /**
     * The main job on a machine whose native vector width is that of a stored baseline, recorded with a forced width.
     * All its rows are compared with this baseline, and not with those of other widths.
     */
    @ParameterizedTest
    @MethodSource("committed")
    void aNativeMachineOfEachWidthIsComparedWithItsBaseline(Path stored) throws Exception {
        Path results = directory.resolve("latest.json");
        Files.writeString(results, Files.readString(stored).replaceAll(FORCED, ""));
        Path record = RunRecord.beside(results);
        Files.writeString(
                record,
                Files.readString(RunRecord.beside(stored))
                        .replaceAll(FORCED, "")
                        .replaceFirst("\"cpu\" : \"[^\"]*\"", "\"cpu\" : \"native\""));
        assertThat(Files.readString(results) + Files.readString(record)).doesNotContain("UseAVX", "simd.bits");
        Comparison comparison =
                RatioComparison.of(ComparisonSide.read("latest", results), PORTABLE, directory.resolve("none"));
        assertThat(comparison.baseline()).isEqualTo(stored.toString());
        assertThat(comparison.rows()).hasSizeGreaterThan(10).allSatisfy(row -> {
            assertThat(row.verdict()).as("%s %s", row, comparison.differences()).isEqualTo(Change.SAME);
            assertThat(row.ratio()).isEqualTo(1);
        });
        assertThat(method(comparison).compared()).isEqualTo(comparison.rows().size());
        assertThat(comparison.differences())
                .hasSize(2)
                .first(InstanceOfAssertFactories.STRING)
                .startsWith("cpu: ")
                .endsWith(", now native");
    }

    @Test
    void everyKindOfVectorsHasABaselineOfItsOwn() throws Exception {
        assertThat(committed().map(file -> file.getFileName().toString()))
                .contains("simd-256.json", "simd-256-32-registers.json", "simd-512.json")
                .allSatisfy(file -> assertThat(
                                RatioComparison.vectors(RunRecord.read(RunRecord.beside(PORTABLE.resolve(file)))
                                        .machine()))
                        .isEqualTo(file.replaceAll("simd-|\\.json", "")));
        assertThat(RatioComparison.vectors(MachineIdentity.current("scalar"))).isEmpty();
    }

    private Comparison compare(List<BenchmarkRow> current, String cpu) throws IOException {
        store(run(1, 1, 0.01, 2), record("A", 512));
        return compare(now(current, record(cpu, 512)));
    }

    private static ComparisonSide now(List<BenchmarkRow> rows, @Nullable RunRecord record) {
        return new ComparisonSide("now", rows, record);
    }

    private Comparison compare(ComparisonSide current) throws IOException {
        return RatioComparison.of(current, directory, directory.resolve("history.jsonl"));
    }

    private static Comparison.Method method(Comparison comparison) {
        return Objects.requireNonNull(comparison.method());
    }

    /** Writes rows as JMH would, with a run record. */
    private void store(List<BenchmarkRow> rows, RunRecord record) throws IOException {
        Path file = directory.resolve("simd-512.json");
        Files.writeString(
                file, rows.stream().map(RatioComparisonTest::json).collect(Collectors.joining(",", "[", "]")));
        record.write(RunRecord.beside(file));
    }

    private static String json(BenchmarkRow row) {
        String rates = row.samples().stream()
                .map(fork -> fork.stream()
                        .map(score -> score
                                * Objects.requireNonNull(row.secondary().get("gigaflops"))
                                        .score())
                        .toList()
                        .toString())
                .toList()
                .toString();
        return String.format(
                Locale.ROOT,
                """
                {"jmhVersion": "1.37", "benchmark": "%s", "mode": "%s", "threads": 1, "forks": 3,
                 "jvmArgs": ["-Xbatch"], "warmupIterations": 3, "warmupTime": "100 ms", "warmupBatchSize": 1,
                 "measurementIterations": 5, "measurementTime": "50 ms", "measurementBatchSize": 1, "params": %s,
                 "primaryMetric": {"score": 1, "scoreError": "NaN", "scoreUnit": "ops/s", "rawData": %s},
                 "secondaryMetrics": {"gigaflops": {"score": 1, "scoreError": "NaN", "scoreUnit": "ops/s",
                  "rawData": %s}}}
                """,
                row.benchmark(),
                row.mode(),
                Json.line(new LinkedHashMap<>(row.params())),
                row.samples(),
                rates);
    }

    private static RunRecord record(String cpu, int bits) {
        return record(cpu, bits, 0, "c0ffee");
    }

    private static RunRecord record(String cpu, int bits, int hour, String commit) {
        var machine = new MachineIdentity(
                cpu, 2, 0, "Linux", "25", List.of(), "SIMD, " + bits + "-bit species (16 lanes)", "unknown");
        Instant time = Instant.parse("2026-11-20T12:34:56Z").plusSeconds(3600L * hour);
        return new RunRecord(commit, time, List.of(), machine, null);
    }

    /**
     * A run of three forks.
     *
     * @param softmax a factor on the speed of the SIMD softmax
     * @param speed the speed of the whole machine
     * @param noise the standard deviation of the logs of forks
     */
    private static List<BenchmarkRow> run(double softmax, double speed, double noise, long seed) {
        var random = new Random(seed);
        Map<String, String> one = Map.of("columns", "1024", "threads", "1");
        Map<String, String> two = Map.of("columns", "1024", "threads", "2");
        return List.of(
                row(SOFTMAX, "scalar", one, speed * 10, 0, noise, random),
                row(SOFTMAX, "vector", two, softmax * speed * 80, 0, noise, random),
                row(MACHINE, "fma", Map.of("threads", "2"), speed, speed * 200, noise, random),
                row(MACHINE, "fma", Map.of("threads", "1"), speed, speed * 100, noise, random),
                row(MATMUL, "vector", Map.of("size", "128"), speed, speed * 60, noise, random));
    }

    private static BenchmarkRow row(
            String benchmarkClass,
            String method,
            Map<String, String> params,
            double score,
            double gigaflops,
            double noise,
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
        return row(benchmarkClass, method, "thrpt", params, samples, flops);
    }

    private static BenchmarkRow row(
            String benchmarkClass,
            String method,
            String mode,
            Map<String, String> params,
            List<List<Double>> samples,
            List<Double> flops) {
        double score =
                flops.isEmpty() ? 1 : flops.getFirst() / samples.getFirst().getFirst();
        var secondary = Map.of("gigaflops", new BenchmarkRow.Metric(score, Double.NaN, "ops/s", flops));
        String unit = mode.equals("avgt") ? "ns/op" : "ops/s";
        return Rows.with(
                DemoInput.row(benchmarkClass + "." + method, mode, unit, 1, new TreeMap<>(params), samples, secondary),
                SETTINGS);
    }
}
