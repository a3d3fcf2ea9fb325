package org.lemmata.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.report.DemoInput;
import org.lemmata.track.ComparisonOptions.Allowed;
import org.lemmata.track.ComparisonRow.Change;

/** Files in the style of other JMH versions and other tools; values are made up, similar to public projects. */
class OtherToolsTest {

    private static final Path CASES = Path.of("src/test/resources/org/lemmata/track/cases");
    private static final ComparisonOptions DEFAULT = ComparisonOptions.DEFAULT;

    @TempDir
    private Path directory;

    private static ComparisonOptions metric(String name) {
        return new ComparisonOptions(
                DEFAULT.center(), DEFAULT.alpha(), 0.02, List.of(), Set.of(), DEFAULT.include(), List.of(name));
    }

    @Test
    void jmh118DoesNotRecordEverySetting() throws IOException {
        Comparison comparison = compare("jmh-1.18/before", "jmh-1.18/after", DEFAULT);
        assertThat(comparison.differences()).containsExactly("not recorded: JVM arguments, JMH");
        assertThat(comparison.rows().getFirst().ratio()).isCloseTo(17.00414448712127 / 32.51689938418521, within(1e-9));
        assertThat(comparison.rows()).extracting(ComparisonRow::verdict).containsOnly(Change.INCONCLUSIVE);
    }

    @Test
    void kotlinxRecordsEvenLess() throws IOException {
        Comparison comparison = compare("kotlinx/before", "kotlinx/after", DEFAULT);
        assertThat(comparison.differences()).containsExactly("not recorded: threads, JVM arguments, JMH");
        assertThat(comparison.rows().getFirst().ratio()).isCloseTo(9752716.18 / 21888216.09, within(1e-6));
        Path bare = directory.resolve("bare.json");
        Files.writeString(
                bare,
                Files.readString(CASES.resolve("kotlinx/before.json"))
                        .replace("\"scoreError\": 12.5", "\"scoreError\": NaN"));
        assertThat(JmhResults.read(bare).getFirst().error()).isNaN();
        assertThat(JmhResults.read(bare).getFirst().settings().warmup()).isEqualTo("5 x 10 s");
    }

    @Test
    void theUnitDecidesWhatIsFasterWhereTheModeContradictsIt() throws IOException {
        ComparisonRow row = compare(
                        "mode-against-unit/cut-before", "mode-against-unit/cut-after-twice-as-fast", DEFAULT)
                .rows()
                .getFirst();
        assertThat(row.verdict()).isEqualTo(Change.FASTER);
        assertThat(row.ratio()).isCloseTo(2, within(0.01));
    }

    @Test
    void theOrderOfParametersTellsNothingApart() throws IOException {
        assertThat(compare("parameter-order/before", "parameter-order/after", DEFAULT)
                        .rows())
                .extracting(ComparisonRow::verdict)
                .containsExactly(Change.SAME, Change.SAME);
    }

    @Test
    void anotherJvmLeavesItOpenUnlessItIsAllowed() throws IOException {
        Comparison comparison = compare("jvm-differs/hotspot17", "jvm-differs/openj9-8", DEFAULT);
        assertThat(comparison.differences())
                .containsExactly("JVM: OpenJDK 64-Bit Server VM 17.0.6+10, now Eclipse OpenJ9 VM openj9-0.36.0 JDK"
                        + " 1.8.0_362 in 1 row");
        assertThat(comparison.inconclusive()).isTrue();
        Comparison allowed =
                compare("jvm-differs/hotspot17", "jvm-differs/openj9-8", DEFAULT.allowing(Allowed.MACHINE));
        assertThat(allowed.inconclusive()).isFalse();
        assertThat(allowed.differences()).hasSize(1);
        assertThat(compare("jvm-differs/hotspot17", "parameter-order/before", DEFAULT)
                        .differences())
                .as("other rows")
                .isEmpty();
    }

    @Test
    void allocationIsNamedAndComparedWhereThatIsAskedFor() throws IOException {
        List<ComparisonRow> rows = compare("allocation/before-1.35", "allocation/after-1.37", DEFAULT)
                .rows();
        assertThat(rows).hasSize(1);
        assertThat(rows.getFirst().verdict()).isEqualTo(Change.SAME);
        assertThat(rows.getFirst().note()).isEqualTo("allocates 48,000 B/op, before 24");
        Comparison both = compare("allocation/before-1.35", "allocation/after-1.37", metric("gc.alloc.rate.norm"));
        assertThat(both.rows()).extracting(ComparisonRow::verdict).containsExactly(Change.SAME, Change.SLOWER);
        assertThat(both.rows().getFirst().note()).isEmpty();
        assertThat(both.rows().getLast().ratio()).isCloseTo(24 / 48_000.0, within(1e-12));
        assertThat(both.rows().getLast().shortName()).isEqualTo("Work.run:gc.alloc.rate.norm (avgt)");
        assertRefused(
                () -> compare("allocation/before-1.35", "allocation/after-1.37", metric("gc.none")),
                "--metric: expected a secondary metric of both sides, as of -prof gc, got gc.none");
    }

    /** Allocations below the size of any object are noise, whatever their ratio. */
    @Test
    void bytesBelowOneCountAsOne() {
        BenchmarkRow before = row("run", "avgt", "ns/op", 1, metric("B/op", 1e-4, 2e-4));
        BenchmarkRow now = row("run", "avgt", "ns/op", 1, metric("B/op", 3e-3, 0));
        ComparisonOptions metric = metric("gc.alloc.rate.norm");
        assertThat(compare(before, now, metric).rows().getLast().verdict()).isEqualTo(Change.SAME);
        BenchmarkRow more = row("run", "avgt", "ns/op", 1, metric("B/op", 24, 24));
        assertThat(compare(before, more, metric).rows().getLast().verdict()).isEqualTo(Change.SLOWER);
        BenchmarkRow throughput = row("run", "thrpt", "ops/s", 1, metric("counts", 2, 2));
        BenchmarkRow collects = row("run", "thrpt", "ops/s", 1, metric("counts", 4, 4));
        assertThat(compare(throughput, collects, metric).rows().getLast().verdict())
                .isEqualTo(Change.SLOWER);
    }

    @Test
    void anAgentsPortIsNoSettingAndArgumentsOfTheJvmMayBeAllowed() throws IOException {
        Comparison comparison = compare("agent-port/before", "agent-port/after", DEFAULT);
        assertThat(comparison.rows().getFirst().verdict()).isEqualTo(Change.SAME);
        assertThat(comparison.differences()).isEmpty();
        assertThatThrownBy(() -> compare("agent-port/before", "jvm-differs/hotspot17", DEFAULT))
                .hasMessageContaining("got JVM arguments: -javaagent:/opt/ide/lib/agent.jar=PORT:/opt/ide/bin, now none"
                        + " in 1 row (--allow jvm-arguments)");
        assertThat(compare("agent-port/before", "jvm-differs/hotspot17", DEFAULT.allowing(Allowed.JVM_ARGUMENTS))
                        .rows())
                .hasSize(1);
        assertThat(compare("agent-port/before", "jvm-differs/hotspot17", DEFAULT.allowing(Allowed.SETTINGS))
                        .rows())
                .hasSize(1);
    }

    @Test
    void ofArgumentsOfTheJvmOnlyThoseThatDifferAreNamed() {
        BenchmarkRow before = withArguments("-Xmx1g", "-XX:+UseG1GC", "-Da=1");
        BenchmarkRow now = withArguments("-Xmx1g", "-XX:+UseSerialGC", "-Da=1");
        assertThat(compare(before, now, DEFAULT.allowing(Allowed.JVM_ARGUMENTS)).differences())
                .containsExactly("JVM arguments: -XX:+UseG1GC, now -XX:+UseSerialGC in 1 row");
        BenchmarkRow longer = withArguments("-Xmx1g", "-XX:+UseSerialGC", "-Da=1", "-Dlong=" + "x".repeat(1000));
        assertThat(compare(now, longer, DEFAULT.allowing(Allowed.JVM_ARGUMENTS)).differences())
                .singleElement()
                .asString()
                .hasSizeLessThan(180)
                .endsWith("x… in 1 row");
    }

    @Test
    void unitsOfTimeAreConverted() {
        BenchmarkRow millis = row("run", "avgt", "ms/op", 0.001, Map.of());
        BenchmarkRow nanos = row("run", "avgt", "ns/op", 2000, Map.of());
        ComparisonRow row = compare(millis, nanos, DEFAULT).rows().getFirst();
        assertThat(row.verdict()).isEqualTo(Change.SLOWER);
        assertThat(row.ratio()).isCloseTo(0.5, within(1e-9));
        assertThat(compare(millis, row("run", "avgt", "\u00b5s/op", 1, Map.of()), DEFAULT)
                        .rows()
                        .getFirst()
                        .ratio())
                .isCloseTo(1, within(1e-9));
        assertThat(compare(millis, row("run", "avgt", "ops/s", 1, Map.of()), DEFAULT)
                        .rows()
                        .getFirst()
                        .note())
                .isEqualTo("in ms/op (avgt), now ops/s (avgt)");
    }

    @Test
    void threadsAreAPartOfTheKey() throws IOException {
        Path file = directory.resolve("threads.json");
        String one = Files.readString(CASES.resolve("jvm-differs/hotspot17.json"));
        String four = one.replace("\"threads\": 1", "\"threads\": 4");
        Files.writeString(
                file, one.strip().replaceFirst("]$", "") + "," + four.strip().substring(1));
        List<BenchmarkRow> rows = JmhResults.read(file);
        assertThat(rows)
                .extracting(BenchmarkRow::key)
                .containsExactly("org.example.Work.run (avgt)", "org.example.Work.run -t=4 (avgt)");
        var side = new ComparisonSide("threads", rows, null);
        assertThat(Comparison.of(side, side, DEFAULT).rows())
                .extracting(ComparisonRow::verdict)
                .containsExactly(Change.SAME, Change.SAME);
        assertThat(Comparison.of(new ComparisonSide("one", rows.subList(0, 1), null), side, DEFAULT)
                        .rows())
                .extracting(ComparisonRow::verdict)
                .containsExactly(Change.SAME, Change.NEW);
        assertThat(rows.getLast().cell()).isEqualTo(rows.getFirst().cell());
    }

    @Test
    void theOperatingSystemIsNamed() {
        BenchmarkRow row = row("run", "avgt", "ns/op", 1, Map.of());
        assertThat(Comparison.of(side("before", row, "Linux 6.1"), side("now", row, "Linux 6.8"), DEFAULT)
                        .differences())
                .containsExactly("operating system: Linux 6.1, now Linux 6.8");
    }

    /** A queue whose readers became twice as fast at the expense of its writers. */
    @Test
    void partsOfAGroupAreComparedAsWell() {
        var before = new LinkedHashMap<String, BenchmarkRow.Metric>();
        before.put("failed", new BenchmarkRow.Metric(5, 0, "ops/s", List.of(5.0, 5.0, 5.0, 5.0)));
        before.put("made", new BenchmarkRow.Metric(595, 0, "ops/s", List.of(595.0, 595.0, 595.0, 595.0)));
        before.put("read", new BenchmarkRow.Metric(400, 0, "ops/s", List.of(400.0, 400.0, 401.0, 401.0)));
        before.put("write", new BenchmarkRow.Metric(600, 0, "ops/s", List.of(600.0, 600.0, 601.0, 601.0)));
        var now = new LinkedHashMap<>(before);
        now.put("made", new BenchmarkRow.Metric(195, 0, "ops/s", List.of(195.0, 195.0, 195.0, 195.0)));
        now.put("read", new BenchmarkRow.Metric(800, 0, "ops/s", List.of(800.0, 800.0, 801.0, 801.0)));
        now.put("write", new BenchmarkRow.Metric(200, 0, "ops/s", List.of(200.0, 200.0, 201.0, 201.0)));
        Comparison groups = compare(
                row("queue", "thrpt", "ops/s", 1000, before), row("queue", "thrpt", "ops/s", 1000, now), DEFAULT);
        assertThat(groups.rows())
                .extracting(row -> row.shortName() + " " + row.verdict().word())
                .containsExactly(
                        "Work.queue (thrpt) same", "Work.queue:read (thrpt) faster", "Work.queue:write (thrpt) slower");
        var millis = new LinkedHashMap<String, BenchmarkRow.Metric>();
        before.forEach((name, metric) -> millis.put(
                name,
                new BenchmarkRow.Metric(
                        metric.score() / 1000,
                        0,
                        "ops/ms",
                        metric.samples().stream().map(score -> score / 1000).toList())));
        assertThat(compare(
                                row("queue", "thrpt", "ops/s", 1000, before),
                                row("queue", "thrpt", "ops/ms", 1, millis),
                                DEFAULT)
                        .with(Change.SAME))
                .hasSize(3);
        var times = new LinkedHashMap<String, BenchmarkRow.Metric>();
        times.put("read", new BenchmarkRow.Metric(400, 0, "ns/op", List.of(400.0, 400.0, 401.0, 401.0)));
        times.put("write", new BenchmarkRow.Metric(600, 0, "ns/op", List.of(600.0, 600.0, 601.0, 601.0)));
        assertThat(row("queue", "avgt", "ns/op", 450, times).groupParts()).containsExactly("read", "write");
        assertThat(row("queue", "avgt", "ns/op", 1000, times).groupParts()).isEmpty();
    }

    private static Map<String, BenchmarkRow.Metric> metric(String unit, double first, double second) {
        return Map.of(
                "gc.alloc.rate.norm",
                new BenchmarkRow.Metric((first + second) / 2, 0, unit, List.of(first, first, second, second)));
    }

    /** Two forks of two iterations, on two threads. */
    private static BenchmarkRow row(
            String method, String mode, String unit, double score, Map<String, BenchmarkRow.Metric> secondary) {
        List<List<Double>> samples = List.of(List.of(score, score), List.of(score * 1.0001, score * 1.0001));
        return Rows.with(
                DemoInput.row(
                        "org.example.Work." + method, mode, unit, score, Map.of(), samples, new TreeMap<>(secondary)),
                new BenchmarkRow.RunOptions(2, "1 x 1 s", "2 x 1 s", List.of(), "1.37"));
    }

    private static BenchmarkRow withArguments(String... arguments) {
        BenchmarkRow row = row("run", "avgt", "ns/op", 1, Map.of());
        return Rows.with(row, new BenchmarkRow.RunOptions(1, "1 x 1 s", "2 x 1 s", List.of(arguments), "1.37"));
    }

    private static ComparisonSide side(String name, BenchmarkRow row, String system) {
        var machine = new MachineIdentity("Zen", 2, 0, system, "25", List.of(), "256 bits", "unknown");
        return new ComparisonSide(name, List.of(row), new RunRecord("commit", Instant.EPOCH, List.of(), machine, null));
    }

    private static Comparison compare(BenchmarkRow before, BenchmarkRow now, ComparisonOptions options) {
        return Comparison.of(
                new ComparisonSide("before", List.of(before), null),
                new ComparisonSide("now", List.of(now), null),
                options);
    }

    private static Comparison compare(String before, String now, ComparisonOptions options) throws IOException {
        return Comparison.of(side(before), side(now), options);
    }

    private static ComparisonSide side(String name) throws IOException {
        return ComparisonSide.read(name, CASES.resolve(name + ".json"));
    }
}
