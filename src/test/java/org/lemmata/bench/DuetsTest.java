package org.lemmata.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The stand-in measures 3 x 100 ms; {@code modes} has two modes. */
class DuetsTest extends StandInFixture {

    private BenchmarkPlan duets(StandInJmh of, String machine, String... words) throws IOException {
        List<BenchmarkCell> cells = of.cells(words);
        return Duets.ofSides(
                new BenchmarkPlan(
                        List.of(new BenchmarkSide("A", of.jar(), cells), new BenchmarkSide("B", of.jar(), cells)),
                        "itself"),
                machine,
                line -> {
                    if (!line.contains("taskset")) {
                        told.add(line);
                    }
                });
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
                new BenchmarkSide("A", jmh.again(name, list).jar(), cells), "", said -> {
                    if (!said.contains("taskset")) {
                        told.add(said);
                    }
                });
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
}
