package org.lemmata.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.track.BenchmarkSession;
import org.lemmata.track.ComparisonRow.Change;

class OpponentTest extends StandInFixture {

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
