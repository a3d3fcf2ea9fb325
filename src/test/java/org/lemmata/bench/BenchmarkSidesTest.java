package org.lemmata.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.track.BenchmarkSession;
import org.lemmata.track.ComparisonRow.Change;

/**
 * The settings, duets and opponents of the sides of a run. The stand-in measures 3 x 100 ms; {@code modes} has two
 * modes.
 */
class BenchmarkSidesTest extends StandInFixture {

    private BenchmarkPlan alike(BenchmarkJar other, String... words) throws IOException {
        List<BenchmarkCell> cells = jmh.cells(words);
        return Opponent.alike(
                new BenchmarkSide("A", jmh.jar(), cells), new BenchmarkSide("B", other, cells), "old", told::add);
    }

    private BenchmarkJar annotated(String name, String before, String after) throws IOException {
        assertThat(StandInJmh.LIST).contains(before);
        return jmh.again(name, StandInJmh.LIST.replace(before, after)).jar();
    }

    @Test
    void bothGetTheGreaterWarmUpAndMeasurement() throws IOException {
        BenchmarkJar old =
                annotated("longer", "I 1 2 T 6 200 ms E I 1 3 T 6 100 ms E", "I 1 1 T 3 1 s E I 2 10 T 5 99 ms I 1 2");
        BenchmarkPlan plan = alike(old, "fast|modes", "-tu", "ns");
        assertThat(plan.sides())
                .allSatisfy(side -> assertThat(side.cells())
                        .hasSize(3)
                        .allSatisfy(cell -> assertThat(cell.options())
                                .containsExactly(
                                        "-tu", "ns", "-wi", "2", "-w", "1s", "-i", "10", "-r", "100ms", "-bs", "2")));
        assertThat(plan.sides())
                .extracting(side -> side.jar().file())
                .containsExactly(jmh.jar().file(), old.file());
        assertThat(told)
                .containsExactly("both sides of 3 benchmarks run with -wi 2 -w 1s -i 10 -r 100ms -bs 2, the larger of"
                        + " their annotated values");
    }

    @Test
    void whatIsGivenOrEqualStaysAsItIs() throws IOException {
        BenchmarkJar old = annotated("given", "T 6 200 ms E", "T 3 1 s E");
        assertThat(options(alike(old, "modes", "-w", "1ms"))).containsExactly("-w", "1ms");
        assertThat(alike(jmh.again("equal").jar(), "modes").sides())
                .allSatisfy(
                        side -> assertThat(side.cells().getFirst().options()).isEmpty());
        assertThat(alike(jmh.again("unknown", "JMH of another time").jar(), "modes")
                        .sides())
                .hasSize(2);
        assertThat(told).isEmpty();
    }

    @Test
    void whatElseDiffersIsRefused() throws IOException {
        BenchmarkJar arguments = annotated("arguments", "L 1 7 -Xbatch", "E");
        assertRefused(
                () -> alike(arguments, "fast"),
                "--against old: expected the -jvmArgsAppend of Bench.fast n=1, -Xbatch, also for"
                        + " Bench.fast n=1, got none; pass -jvmArgsAppend to set it for both");
        assertThat(alike(arguments, "fast", "-jvmArgsAppend", "-Xint").sides()).hasSize(2);
        BenchmarkJar threads = annotated("threads", " E A 1 1 1 E", " I 1 4 A 1 1 1 E");
        assertThatThrownBy(() -> alike(threads, "modes")).hasMessageContaining("expected the -t of Bench.modes, 1,");
        BenchmarkJar unit = annotated("unit", "U 11 NANOSECONDS", "E");
        assertThatThrownBy(() -> alike(unit, "modes")).hasMessageContaining("-tu of Bench.modes, NANOSECONDS,");
        BenchmarkJar mode = annotated("mode", "S 10 Throughput", "S 10 SampleTime");
        assertThatThrownBy(() -> alike(mode, "modes")).hasMessageContaining("got AverageTime,SampleTime;");
    }

    @Test
    void timesAreReadAsJmhReadsThem() {
        assertThat(Opponent.amount("500 ms")).hasValue(500_000_000L);
        assertThat(Opponent.amount("500MS")).hasValue(500_000_000L);
        assertThat(Opponent.amount("2sec")).hasValue(2_000_000_000L);
        assertThat(Opponent.amount("1m")).hasValue(60_000_000_000L);
        assertThat(Opponent.amount("1 fortnight")).isEmpty();
    }

    @Test
    void anotherVersionOfJmhIsRefused() throws IOException {
        StandInJmh before = jmh.of("1.36");
        assertThat(before.jar().jmhVersion()).contains("1.36");
        StandInJmh now = jmh.of("1.37");
        List<BenchmarkCell> cells = jmh.cells("modes");
        assertThatThrownBy(() -> Opponent.alike(
                        new BenchmarkSide("A", now.jar(), cells),
                        new BenchmarkSide("B", before.jar(), cells),
                        "old",
                        told::add))
                .hasMessage("--against old: expected JMH 1.37 on both sides, got 1.36");
        assertThat(alike(before.jar(), "modes").sides())
                .as("one that does not say its version")
                .hasSize(2);
    }

    private void hear(String line) {
        if (!line.contains("taskset")) {
            told.add(line);
        }
    }

    private BenchmarkPlan duets(StandInJmh of, String machine, String... words) throws IOException {
        List<BenchmarkCell> cells = of.cells(words);
        return Duets.ofSides(
                new BenchmarkPlan(
                        List.of(new BenchmarkSide("A", of.jar(), cells), new BenchmarkSide("B", of.jar(), cells)),
                        "itself"),
                machine,
                this::hear);
    }

    private static List<String> options(BenchmarkPlan plan) {
        return plan.sides().getLast().cells().getFirst().options();
    }

    @Test
    void measurementIsCutIntoAnEvenNumberOfShortIterations() throws IOException {
        BenchmarkPlan plan = duets(jmh, "", "sleeps");
        assertThat(plan.duets()).isEqualTo(Map.of(0, 0));
        assertThat(options(plan)).containsExactly("-i", "6", "-r", "50ms");
        StandInJmh longer = jmh.again("longer", StandInJmh.LIST.replace("I 1 3 T 6 100 ms", "I 1 5 T 4 10 s"));
        assertThat(options(duets(longer, "", "sleeps")))
                .as("as long in all, but no iteration more than a long operation can bear")
                .containsExactly("-i", "40", "-r", "1250ms");
        assertThat(options(duets(jmh, "", "sleeps", "-i", "3"))).containsExactly("-i", "3");
        assertThat(options(duets(jmh, "", "sleeps", "-bm", "ss"))).containsExactly("-bm", "ss");
        assertThat(told).isEmpty();
    }

    @Test
    void whatCannotRunAtTheSameTimeRunsInTurnAndSaysWhy() throws IOException {
        assertThat(duets(jmh, "", "modes|sleeps").duets()).containsOnlyKeys(1);
        assertThat(duets(jmh, "", "sleeps", "-t", "2").duets()).isEmpty();
        assertThat(duets(jmh, "", "sleeps", "-bm", "All").duets()).isEmpty();
        assertThat(duets(jmh, "", "sleeps", "-prof", "gc").duets()).isEmpty();
        assertThat(duets(jmh, "", "sleeps", "-jvm", "java").duets()).containsOnlyKeys(0);
        String ownJvm = StandInJmh.LIST.replace("I 1 1 E E E E", "I 1 1 E S 4 java E E");
        assertThat(duets(jmh.again("jvm", ownJvm), "", "sleeps").duets()).isEmpty();
        assertThat(duets(jmh.again("unknown", "JMH of another time"), "", "sleeps")
                        .duets())
                .isEmpty();
        assertThat(duets(jmh, "duets need two cores", "modes|sleeps").duets()).isEmpty();
        String one = "1 benchmark runs in turn, not as duets: ";
        assertThat(told)
                .containsExactly(
                        one + "mode AverageTime,Throughput",
                        one + "more than one thread",
                        one + "mode All",
                        one + "a profiler",
                        one + "another JVM (in its annotation)",
                        one + "settings not known: the jar's list of benchmarks has another format than JMH 1.37's",
                        "2 benchmarks run in turn, not as duets: duets need two cores");
    }

    /** The plan for {@code vector}, {@code scalar} and {@code other} of one class, and {@code MachineBenchmark.fma}. */
    private BenchmarkPlan besideReferences(String name, String settingsOfScalar) throws IOException {
        String line = StandInJmh.LIST
                .lines()
                .filter(each -> each.contains("sleeps"))
                .findFirst()
                .orElseThrow();
        String machine = line.replace("S 10 demo.Bench", "S 21 demo.MachineBenchmark");
        String list = String.join(
                "\n",
                line.replace("S 6 sleeps", "S 6 vector"),
                line.replace("S 6 sleeps", "S 6 scalar").replace("1 3 T 6 100 ms", settingsOfScalar),
                line.replace("S 6 sleeps", "S 5 other"),
                machine.replace("S 6 sleeps", "S 3 fma"));
        List<BenchmarkCell> cells = Stream.of("Bench.vector", "Bench.scalar", "Bench.other", "MachineBenchmark.fma")
                .map(method -> new BenchmarkCell("demo." + method, new LinkedHashMap<>(), List.of(), 2))
                .toList();
        return Duets.besideReferences(
                new BenchmarkSide("A", jmh.again(name, list).jar(), cells), "", this::hear);
    }

    @Test
    void rowsRunBesideTheScalarOneOrTheMachine() throws IOException {
        BenchmarkPlan plan = besideReferences("references", "1 3 T 6 100 ms");
        assertThat(plan.duets()).isEqualTo(Map.of(0, 1, 2, 3));
        assertThat(plan.turns()).hasSize(4).allMatch(BenchmarkPlan.Turn::isDuet);
        assertThat(told).isEmpty();
    }

    @Test
    void aReferenceThatIsMeasuredOtherwiseRunsInTurn() throws IOException {
        BenchmarkPlan plan = besideReferences("unlike", "1 4 T 6 100 ms");
        assertThat(plan.duets()).isEqualTo(Map.of(2, 3));
        assertThat(plan.turns()).hasSize(6);
        assertThat(told)
                .containsExactly("1 benchmark runs in turn, not as duets: other warm-up or measurement than their"
                        + " reference; set -wi, -w, -i and -r for both");
    }

    @TempDir
    private Path directory;

    private BenchmarkSide opponent(String text, String... words) throws IOException {
        return Opponent.of(
                text,
                jmh.jar(),
                jmh.cells(words),
                Optional.of(new Checkout(directory).builds(told::add, () -> false)),
                told::add);
    }

    @Test
    void anotherJarHasTheSameBenchmarks() throws IOException {
        StandInJmh other = jmh.again("other");
        assertThat(opponent(other.jar().file().toString(), "fast|modes"))
                .isEqualTo(new BenchmarkSide("B", other.jar(), jmh.cells("fast|modes")));
        var unknown = new BenchmarkCell(
                "demo.Bench.newer", jmh.cells("modes").getFirst().params(), List.of(), 1);
        assertRefused(
                () -> Opponent.of(
                        other.jar().file().toString(), jmh.jar(), List.of(unknown), Optional.empty(), told::add),
                "--against: expected demo.Bench.newer in " + other.jar().file() + ", got none");
        var fewer = new BenchmarkCell(
                "demo.Bench.fast", jmh.cells("modes").getFirst().params(), List.of(), 1);
        assertThatThrownBy(() -> Opponent.of(
                        other.jar().file().toString(), jmh.jar(), List.of(fewer), Optional.empty(), told::add))
                .hasMessage("--against: expected demo.Bench.fast in "
                        + other.jar().file() + " with the parameters [], got [n]");
        BenchmarkCell known = jmh.cells("modes").getFirst();
        BenchmarkSide without = Opponent.of(
                other.jar().file().toString(), jmh.jar(), List.of(unknown, fewer, known), Optional.empty(), told::add);
        assertThat(without.cells()).containsExactly(known);
        assertThat(without.lacking())
                .extracting(BenchmarkSession.Unmeasured::benchmark, BenchmarkSession.Unmeasured::verdict)
                .containsExactly(tuple("demo.Bench.newer", Change.NEW), tuple("demo.Bench.fast", Change.GONE));
        assertThat(told)
                .containsExactly(
                        "left out: --against: expected demo.Bench.newer in "
                                + other.jar().file() + ", got none",
                        "left out: --against: expected demo.Bench.fast in "
                                + other.jar().file() + " with the parameters [], got [n]");
    }

    @Test
    void optionsOfOneSideAreRefused() {
        for (String more : List.of("-wi 7", "-f 9", "-jvmArgsAppend -Xint", "-l", "-p n=7 -e modes -wi 7")) {
            assertRefused(
                    () -> opponent("fast " + more, "fast", "-p", "n=7"),
                    "--against fast " + more + ": expected a benchmark and -p, got other options; pass them"
                            + " outside of --against, for both sides");
        }
    }

    @Tag("long")
    @Test
    void anotherBenchmarkHasTheSameParameters() throws IOException {
        BenchmarkSide side = opponent("Bench.sleeps$", "modes", "-wi", "1", "-f", "4");
        assertThat(side.jar()).isEqualTo(jmh.jar());
        assertThat(side.cells()).extracting(BenchmarkCell::benchmark).containsExactly("demo.Bench.sleeps");
        assertThat(side.cells().getFirst().options()).containsExactly("-wi", "1");
        assertThat(side.cells().getFirst().forks()).isEqualTo(4);
        assertThat(opponent("fast", "fast", "-p", "n=7").cells())
                .extracting(BenchmarkCell::shortKey)
                .containsExactly("Bench.fast n=7");
        assertThat(opponent("Bench.sleeps$", "fast", "-p", "n=7").cells())
                .extracting(BenchmarkCell::shortKey)
                .as("what it has no parameter for")
                .containsExactly("Bench.sleeps");
        assertThat(opponent("fast -p n=9", "fast", "-p", "n=7,8").cells())
                .extracting(BenchmarkCell::shortKey)
                .as("what is given")
                .containsExactly("Bench.fast n=9", "Bench.fast n=9");
        assertRefused(
                () -> opponent("fast", "modes"),
                "--against fast: expected one benchmark with the parameters of Bench.modes, got 2");
        assertThatThrownBy(() -> opponent("sleeps|fails", "modes")).hasMessageEndingWith("of Bench.modes, got 2");
        String message = "--against: expected a jar, a commit or a regular expression of benchmarks, got nonsense";
        assertThatThrownBy(() -> opponent("nonsense", "modes")).hasMessageStartingWith(message);
        assertThatThrownBy(() -> Opponent.of("nonsense", jmh.jar(), jmh.cells("modes"), Optional.empty(), told::add))
                .hasMessageStartingWith(message);
    }
}
