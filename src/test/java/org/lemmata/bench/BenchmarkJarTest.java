package org.lemmata.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.file.MalformedFileException;

class BenchmarkJarTest extends StandInFixture {

    @TempDir
    private Path directory;

    @Test
    void listsEveryCombinationOnce() throws IOException {
        assertThat(jmh.cells("fast|modes"))
                .extracting(BenchmarkCell::shortKey)
                .containsExactly("Bench.fast n=1", "Bench.fast n=2", "Bench.modes");
        assertThat(jmh.cells("fast", "-p", "n=3,4,5", "-wi", "1", "-f", "7"))
                .allSatisfy(cell -> {
                    assertThat(cell.options()).containsExactly("-wi", "1");
                    assertThat(cell.forks()).isEqualTo(7);
                })
                .hasSize(3);
        assertThatThrownBy(() -> jmh.cells("nothing"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nothing, which match none of");
        assertThatThrownBy(() -> jmh.cells("-bad", "1")).hasMessage("JMH: bad is not a recognized option");
    }

    @Test
    void refusesValuesWithACommaBeforeTheyRun() throws IOException {
        // Two values by the annotations: "1" and "2, 3", or "1,2" and "3".
        jmh.give("1, 2, 3");
        assertRefused(
                () -> jmh.cells("fast"),
                "n of demo.Bench.fast: expected values without a comma, got 1, 2, 3; set others with -p");
        jmh.give("1,2, 3");
        assertThatThrownBy(() -> jmh.cells("fast")).hasMessageContaining("got 1,2, 3;");
        assertThat(jmh.cells("fast", "-p", "n=1,2,3")).hasSize(3);
        jmh.give("1, 2");
    }

    @Test
    void librariesOfTheManifestAreHashed() throws IOException {
        var manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, "plain.jar my%20lib.jar [odd].jar");
        Path file = directory.resolve("benchmarks.jar");
        try (var jar = new JarOutputStream(Files.newOutputStream(file), manifest)) {
            jar.putNextEntry(new JarEntry(BenchmarkList.FILE));
        }
        BenchmarkJar jar = BenchmarkJar.open(file);
        var hashes = new HashSet<>(List.of(jar.hash()));
        for (String name : List.of("plain.jar", "my lib.jar", "[odd].jar")) {
            Files.copy(jmh.jar().file(), directory.resolve(name));
            assertThat(hashes.add(jar.hash())).as(name).isTrue();
        }
    }

    /** Their results would be refused, but only after the last fork. */
    @Test
    void jmhBefore121IsRefused() throws IOException {
        for (String old : new String[] {"1.9", "1.16", "1.20"}) {
            StandInJmh of = jmh.of(old);
            assertThatThrownBy(() -> of.cells("fast"))
                    .hasMessage(of.jar().file() + ": expected JMH 1.21 or newer, got " + old);
        }
        assertThat(jmh.of("1.21").cells("fast")).hasSize(2);
    }

    @Test
    void aJarOfOtherPeopleGetsItsOwnersJvmWithoutOptions() throws IOException {
        assertThat(jmh.jar().command("Main", List.of()))
                .containsExactly(
                        jmh.jar().jvm().java().toString(),
                        "-cp",
                        jmh.jar().file() + ":" + jmh.jar().file().resolveSibling("peers-lib") + "/*",
                        "Main");
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        BenchmarkJar named = jmh.jar().onJvmOf(JmhArguments.parse(List.of("-jvm", java.toString())));
        assertThat(named.runsOn()).isEqualTo(System.getProperty("java.vendor") + " " + Runtime.version() + ", " + java);
        assertThat(named.record(JmhArguments.parse(List.of())).machine().vmFlags())
                .isEmpty();
        assertThatThrownBy(() -> jmh.jar().onJvmOf(JmhArguments.parse(List.of("-jvm", "/bin/echo"))))
                .hasMessage("/bin/echo: expected a JVM of version 17 or newer, got -XshowSettings:properties -version");
        Path old = Files.writeString(directory.resolve("java"), """
            #!/bin/sh
            echo 'Property settings:'
            echo '    java.runtime.version = 11.0.2+9'
            echo '    java.vendor = A vendor'
            """);
        assertThat(old.toFile().setExecutable(true)).isTrue();
        assertThatThrownBy(() -> ForkJvm.of(old))
                .hasMessage(old + ": expected a JVM of version 17 or newer, got 11.0.2+9");
    }

    private List<BenchmarkCell> cells(String lines, String options) throws IOException {
        Path file = Files.writeString(directory.resolve("suite"), lines);
        return BenchmarkSuite.cells(file, jmh.jar(), JmhArguments.parse(JmhArguments.words(options)), 3);
    }

    @Test
    void readsALineABenchmark() throws IOException {
        List<BenchmarkCell> cells = cells("# head\n\nfast -p n=1 -f 2 -wi 4 # why\nmodes -i 5\n", "-wi 1");
        assertThat(cells).extracting(BenchmarkCell::shortKey).containsExactly("Bench.fast n=1", "Bench.modes");
        assertThat(cells).extracting(BenchmarkCell::forks).containsExactly(2, 3);
        assertThat(cells.getFirst().options()).containsExactly("-wi", "1");
        assertThat(cells.getLast().options()).containsExactly("-i", "5", "-wi", "1");
    }

    @Test
    void namesTheLineThatItRefuses() throws IOException {
        assertThatThrownBy(() -> cells("modes\nfast|modes\n", ""))
                .isInstanceOf(MalformedFileException.class)
                .hasMessageContaining("line 2")
                .hasMessageContaining("demo.Bench.modes again");
        assertThatThrownBy(() -> cells("modes -l\n", "")).hasMessageContaining("line 1");
        assertThatThrownBy(() -> cells("modes -prof gc\n", ""))
                .hasMessageEndingWith("-prof, -jvm: expected on the command line, for all lines");
        assertThatThrownBy(() -> cells("# nothing\n", "")).hasMessageContaining("got none");
        Path latin = Files.write(directory.resolve("latin"), new byte[] {'#', '\n', (byte) 0xff});
        assertThatThrownBy(() -> BenchmarkSuite.cells(latin, jmh.jar(), JmhArguments.parse(List.of()), 3))
                .hasMessage(latin + ": line 2: expected UTF-8, got the byte 0xff");
    }

    @Test
    void aJournalNamesTheLineThatIsNoText() throws IOException {
        Path journal = Files.write(directory.resolve("journal"), new byte[] {'{', '}', '\n', (byte) 0xff, '\n'});
        assertThatThrownBy(() -> BenchmarkJournal.open(journal, "plan"))
                .hasMessage(journal + ": line 2: expected UTF-8, got the byte 0xff");
    }

    @Test
    void aTerminalObeysNoParameter() {
        var cell = new BenchmarkCell("demo.Bench.fast", new LinkedHashMap<>(Map.of("n", "\u001b[31m")), List.of(), 1);
        assertThat(cell.shortKey()).isEqualTo("Bench.fast n=?[31m");
    }

    /** Lines that JMH 1.37 wrote, after a line of another form. */
    private static final BenchmarkList LIST = BenchmarkList.of("""
        # a line of another version
        JMH S 43 org.lemmata.kernel.softmax.SoftmaxBenchmark S 72 org.lemmata.kernel.softmax.jmh_generated.SoftmaxBenchmark_scalar_jmhTest S 6 scalar S 10 Throughput E A 1 1 1 E I 1 2 T 6 200 ms E I 1 3 T 6 200 ms E I 1 1 E E E E L 1 7 -Xbatch M 3 7 columns 1 16 xAAMAIDA0AA===== 4 rows 1 8 0AA===== 7 threads 1 8 xAA===== U 7 SECONDS E E\s
        JMH S 40 org.lemmata.sweep.SweepOverheadBenchmark S 73 org.lemmata.sweep.jmh_generated.SweepOverheadBenchmark_emptyCells_jmhTest S 10 emptyCells S 11 AverageTime E A 1 1 1 E I 1 3 T 6 500 ms E I 1 4 T 6 500 ms E I 1 1 E E E E E M 1 5 cores 2 8 xAA===== 8 yAA===== U 12 MILLISECONDS I 3 100 E\s
        JMH S 3 a.B S 1 G S 4 once S 14 SingleShotTime I 1 4 A 2 1 1 1 3 E E E E E E E E E S 1 j L 2 2 -a 4 -b c E E E E E E\s
        JMH S 3 a.B S 1 G S 4 many S 10 SampleTime E A 1 1 1 E E E E E E E E E E E E E E E E E\s
        JMH S 3 a.B S 1 G S 4 many S 11 AverageTime E A 1 1 1 E E E E E E E E E E E E E E E E E\s
        JMH S 3 a.B S 1 G S 4 torn S 99 Thr
        """);

    private static BenchmarkList.Entry entry(String benchmark) {
        return LIST.entry(benchmark).orElseThrow();
    }

    @Test
    void readsWhatJmhWrote() {
        BenchmarkList.Entry scalar = entry("org.lemmata.kernel.softmax.SoftmaxBenchmark.scalar");
        assertThat(scalar.settings())
                .containsEntry("-bm", "Throughput")
                .containsEntry("-t", "1")
                .containsEntry("-wi", "2")
                .containsEntry("-w", "200ms")
                .containsEntry("-i", "3")
                .containsEntry("-bs", "1")
                .containsEntry("-jvmArgsAppend", "-Xbatch")
                .containsEntry("-tu", "SECONDS");
        assertThat(scalar.values())
                .containsOnlyKeys("columns", "rows", "threads")
                .containsEntry("rows", 1);
        BenchmarkList.Entry sweep = entry("org.lemmata.sweep.SweepOverheadBenchmark.emptyCells");
        assertThat(sweep.settings()).containsEntry("-tu", "MILLISECONDS").containsEntry("-jvmArgsAppend", "");
        assertThat(sweep.values()).containsEntry("cores", 2);
    }

    @Test
    void knowsTheDefaultsOfEachMode() {
        assertThat(entry("a.B.once").settings())
                .containsEntry("-t", "4")
                .containsEntry("-tg", "1 3")
                .containsEntry("-wi", "0")
                .containsEntry("-w", "")
                .containsEntry("-i", "1")
                .containsEntry("-jvm", "j")
                .containsEntry("-jvmArgs", "-a -b c");
        assertThat(entry("a.B.many").settings())
                .containsEntry("-bm", "AverageTime,SampleTime")
                .containsEntry("-wi", "5")
                .containsEntry("-w", "10s")
                .containsEntry("-r", "10s");
    }

    @Test
    void leavesOutWhatItCannotRead() {
        assertThat(LIST.entry("a.B.torn")).isEmpty();
        assertThat(BenchmarkList.of("").entry("a.B.many")).isEmpty();
    }

    private static JmhArguments parse(String text) {
        return JmhArguments.parse(JmhArguments.words(text));
    }

    @Test
    void tellsBenchmarksFromOptions() {
        JmhArguments arguments = parse("Soft.* -jvmArgsAppend \"-Xmx1g -Xbatch\" -wi=2 -f=4 Mat -jvmArgsAppend -Da=b");
        assertThat(arguments.includes()).containsExactly("Soft.*", "Mat");
        assertThat(arguments.forks()).isEqualTo(OptionalInt.of(4));
        assertThat(arguments.options())
                .containsExactly("-jvmArgsAppend", "-Xmx1g -Xbatch", "-wi", "2", "-jvmArgsAppend", "-Da=b");
        assertThat(arguments.listing()).isFalse();
        assertThat(parse("-l Soft").listing()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"-f", "-f 0", "-f x", "-wi 1 -wi 2", "-f 1 -f 2", "-rf csv", "-rff=a", "-foe false", "-o a.txt"})
    void refuses(String text) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected");
    }

    /** The word is not taken for a missing value or a benchmark's name, and JMH need not run to reject it. */
    @ParameterizedTest
    @ValueSource(strings = {"--frobnicate", "fast --frobnicate 3", "--frobnicate=3 fast"})
    void namesAnUnknownOption(String text) {
        assertThatThrownBy(() -> parse(text))
                .hasMessageMatching("--frobnicate(=3)?: unknown option; bench --help lists .*");
    }

    @ParameterizedTest
    @CsvSource({
        "-wi 3 -i 5, -wi 1, -i 5 -wi 1",
        "-p n=1 -p m=2, -p n=3, -p m=2 -p n=3",
        "-prof gc, -p n=1, -prof gc -p n=1",
    })
    void optionsOfTheRunTakeThePlaceOfTheLine(String line, String run, String both) {
        assertThat(parse("A -f 2 " + line).overriddenBy(parse("B " + run))).isEqualTo(parse("A -f 2 " + both));
        assertThat(parse("A -f 2").overriddenBy(parse("-f 9")).forks()).hasValue(9);
    }

    @Test
    void splitsWordsAtBlanksOutsideQuotes() {
        assertThat(JmhArguments.words(" a \"b c\"d  \"\" ")).isEqualTo(List.of("a", "b cd", ""));
        assertThatThrownBy(() -> JmhArguments.words("\"a")).hasMessageContaining("closing double quote");
    }

    private static BenchmarkCell cell(String benchmark, String name, String value) {
        return new BenchmarkCell(benchmark, new LinkedHashMap<>(Map.of(name, value)), List.of(), 1);
    }

    private List<String> fitting(String name, String value, BenchmarkCell... annotated) {
        List<BenchmarkCell> given = List.of(annotated).stream()
                .map(BenchmarkCell::benchmark)
                .distinct()
                .map(benchmark -> cell(benchmark, name, value))
                .toList();
        return BenchmarkJar.fitting(List.of(name), List.of(annotated), given, told::add).stream()
                .map(BenchmarkCell::benchmark)
                .toList();
    }

    @Test
    void leavesOutWhatAsksForAnotherNumberOfSizes() {
        assertThat(fitting("size", "64x64x64", cell("MatMul", "size", "128x128x128"), cell("Loss", "size", "2000x18")))
                .containsExactly("MatMul");
        assertThat(told).containsExactly("left out: Loss: size: expected a value such as 2000x18, got 64x64x64");
    }

    @Test
    void leavesOutWhatAsksForANumber() {
        assertThat(fitting("length", "many", cell("Names", "length", "few"), cell("Numbers", "length", "1024")))
                .containsExactly("Names");
    }

    @Test
    void takesNumbersAsAnnotatedOrNot() {
        assertThat(fitting("rate", "1e-3", cell("A", "rate", "0.5"), cell("B", "rate", "2")))
                .hasSize(2);
        assertThat(told).isEmpty();
    }

    @Test
    void reportsAParameterThatNoBenchmarkHas() {
        BenchmarkJar.fitting(List.of("n"), List.of(), List.of(cell("A", "m", "1")), told::add);
        assertThat(told).containsExactly("-p n: no selected benchmark has this parameter");
    }

    @Test
    void takesEveryName() {
        assertThat(fitting("format", "binary16", cell("A", "format", "ocp_e4m3")))
                .containsExactly("A");
    }

    @Test
    void leavesToJmhWhatFitsNone() {
        assertThat(fitting("size", "64", cell("A", "size", "1x1"), cell("B", "size", "1x1x1")))
                .hasSize(2);
        assertThat(told).isEmpty();
    }
}
