package org.lemmata.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class SideSettingsTest extends StandInFixture {

    private BenchmarkPlan alike(BenchmarkJar other, String... words) throws IOException {
        List<BenchmarkCell> cells = jmh.cells(words);
        return SideSettings.alike(
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
        assertThat(alike(old, "modes", "-w", "1ms")
                        .sides()
                        .getLast()
                        .cells()
                        .getFirst()
                        .options())
                .containsExactly("-w", "1ms");
        assertThat(alike(jmh.again("equal").jar(), "modes")
                        .sides()
                        .getFirst()
                        .cells()
                        .getFirst()
                        .options())
                .isEmpty();
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
        assertThat(SideSettings.amount("500 ms")).hasValue(500_000_000L);
        assertThat(SideSettings.amount("500MS")).hasValue(500_000_000L);
        assertThat(SideSettings.amount("2sec")).hasValue(2_000_000_000L);
        assertThat(SideSettings.amount("1m")).hasValue(60_000_000_000L);
        assertThat(SideSettings.amount("1 fortnight")).isEmpty();
    }

    @Test
    void anotherVersionOfJmhIsRefused() throws IOException {
        StandInJmh before = jmh.of("1.36");
        assertThat(before.jar().jmhVersion()).contains("1.36");
        StandInJmh now = jmh.of("1.37");
        List<BenchmarkCell> cells = jmh.cells("modes");
        assertThatThrownBy(() -> SideSettings.alike(
                        new BenchmarkSide("A", now.jar(), cells),
                        new BenchmarkSide("B", before.jar(), cells),
                        "old",
                        told::add))
                .hasMessage("--against old: expected JMH 1.37 on both sides, got 1.36");
        assertThat(alike(before.jar(), "modes").sides())
                .as("one that does not say its version")
                .hasSize(2);
    }
}
