package org.lemmata.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.oracle.Refusals.assertMalformed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.lemmata.bench.BenchmarkRunner.End;
import org.lemmata.file.MalformedFileException;
import org.lemmata.track.BenchmarkSession;
import org.lemmata.track.Comparison;
import org.lemmata.track.ForkRun;
import org.lemmata.track.RunRecord;

/** Whole runs, with processes of the stand-in for JMH. */
class BenchmarkRunnerTest extends RunFixture {

    private BenchmarkPlan oneSide(String... words) throws IOException {
        return new BenchmarkPlan(List.of(new BenchmarkSide("A", jmh.jar(), jmh.cells(words))), "");
    }

    private End run(BenchmarkPlan plan, BooleanSupplier stop) throws IOException {
        return run(plan, stop, () -> false, soFar -> Comparison.refused("", "", "nobody looks"));
    }

    private End run(BenchmarkPlan plan) throws IOException {
        return run(plan, () -> false);
    }

    private static JsonNode rows(Path file) throws IOException {
        return JsonMapper.builder().build().readTree(file.toFile());
    }

    private static String raw(Path file, int row) throws IOException {
        return rows(file).get(row).at("/primaryMetric/rawData").toString();
    }

    @Tag("long")
    @Test
    void waitsForAnotherRunOfJmhAndSaysSoOnce() throws IOException {
        jmh.lock("1", "3");
        assertThat(run(oneSide("modes"))).isEqualTo(End.COMPLETE);
        assertThat(jmh.calls()).hasSize(4);
        assertThat(heard.lines)
                .containsExactly(
                        "bench: waiting for another run of JMH on this machine, which has the lock on "
                                + directory.resolve("lock") + "; --limit-minutes limits the wait",
                        "Bench.modes 1.00000 ns/op",
                        "Bench.modes 2.00000 ns/op");
    }

    @Test
    void mergesForksOfEachCellAndMode() throws IOException {
        assertThat(run(oneSide("fast|modes"))).isEqualTo(End.COMPLETE);

        assertThat(jmh.calls()).containsExactly("fast1", "fast2", "modes", "fast1", "fast2", "modes");
        JsonNode rows = rows(directory.resolve("results/latest.json"));
        assertThat(rows.findValuesAsText("mode")).containsExactly("avgt", "avgt", "avgt", "thrpt");
        assertThat(rows.get(1).at("/params/n").asText()).isEqualTo("2");
        assertThat(rows.get(1).at("/primaryMetric/rawData").toString()).isEqualTo("[[2],[5]]");
        assertThat(rows.get(3).at("/primaryMetric/score").asDouble()).isEqualTo(4.5);
        assertThat(files.journal()).doesNotExist();
    }

    @Test
    void alternatesSides() throws IOException {
        List<BenchmarkCell> cells = jmh.cells("fast", "-f", "3", "-p", "n=1");
        var plan = twoSides("itself", cells, Map.of());
        assertThat(run(plan)).isEqualTo(End.COMPLETE);

        assertThat(raw(files.results(plan.sides().getFirst()), 0)).isEqualTo("[[1],[4],[5]]");
        assertThat(raw(files.results(plan.sides().getLast()), 0)).isEqualTo("[[2],[3],[6]]");
        BenchmarkSession a = session(plan.sides().getFirst());
        BenchmarkSession b = session(plan.sides().getLast());
        assertThat(b.id()).isEqualTo(a.id());
        assertThat(List.of(a.side(), b.side(), b.against())).containsExactly("A", "B", "itself");
        assertThat(b.forks()).extracting(ForkRun::fork).containsExactly(0, 1, 2);
    }

    /** The stand-in ends only after both forks of a pair have started. */
    @Test
    void runsTheForksOfADuetAtTheSameTime() throws IOException {
        List<BenchmarkCell> cells = jmh.cells("fast", "-f", "4", "-p", "n=1");
        var plan = twoSides("itself", cells, Map.of(0, 0));
        assertThat(run(plan)).isEqualTo(End.COMPLETE);

        assertThat(heard.lines).hasSize(8).allMatch(line -> line.startsWith("Bench.fast n=1"));
        assertThat(jmh.trials()).as("one for both sides, which are the same").hasSize(1);
        assertThat(session(plan.sides().getLast()).trials())
                .isEqualTo(Map.of("demo.Bench.fast n=1", new BenchmarkSession.Trial(1, 0)));
        List<ForkRun> a = session(plan.sides().getFirst()).forks();
        List<ForkRun> b = session(plan.sides().getLast()).forks();
        for (int fork = 0; fork < 4; fork++) {
            ForkRun.Span span = a.get(fork).iterations().getFirst();
            assertThat(a.get(fork).iterations()).hasSize(1);
            assertThat(span.start())
                    .isEqualTo(1000.0 * (fork + 1))
                    .isEqualTo(b.get(fork).iterations().getFirst().start());
            assertThat(span.waited() + b.get(fork).iterations().getFirst().waited())
                    .isEqualTo(50);
        }
        Cores cores = Cores.available();
        if (cores.pins() && cores.physical() >= 2) {
            assertThat(a)
                    .extracting(run -> run.iterations().getFirst().core())
                    .as("swapped from pair to pair")
                    .containsExactly(cores.processor(0), cores.processor(1), cores.processor(0), cores.processor(1));
            assertThat(b)
                    .extracting(run -> run.iterations().getFirst().core())
                    .containsExactly(cores.processor(1), cores.processor(0), cores.processor(1), cores.processor(0));
        }
        JsonNode row = rows(files.results(plan.sides().getFirst())).path(0);
        assertThat(row.path("secondaryMetrics"))
                .as("JMH's own format, without what the barrier adds")
                .isEmpty();
        assertThat(row.path("jvmArgs").toString()).isEqualTo("[\"-Xmx1g\"]");
    }

    /** As without taskset, both forks have the same command. Each fork ends only after both have begun. */
    @Test
    void forksOfOneJarThatAreNotPinnedRunAtTheSameTime() throws Exception {
        Path log = directory.resolve("log");
        Path lock = directory.resolve("lock");
        var cell = jmh.cells("fast", "-p", "n=1").getFirst();
        var launch = new ForkProcess.Launch(jmh.jar(), cell, 0, -1, -1);
        try (var forks = new ForkProcess(log, () -> false, () -> false, () -> {}, lock, directory)) {
            assertThat(forks.run(List.of(launch, launch))).hasSize(2);
        }
    }

    /** Trials run only in the first run; after that, those of the journal count. */
    @Test
    void whatHasThreadsOfItsOwnRunsInTurnAlsoWhenTheRunIsResumed() throws IOException {
        jmh.giveThreads("0.48");
        jmh.repair();
        List<BenchmarkCell> a = jmh.cells("fast", "-f", "2", "-p", "n=1");
        var plan = new BenchmarkPlan(
                List.of(new BenchmarkSide("A", jmh.jar(), a), new BenchmarkSide("B", jmh.jar(), jmh.cells("sleeps"))),
                "sleeps",
                new TreeMap<>(Map.of(0, 0)));
        assertThat(run(plan, () -> heard.lines.size() == 3)).isEqualTo(End.STOPPED);
        jmh.giveThreads("0");
        assertThat(run(plan)).isEqualTo(End.COMPLETE);
        assertThat(heard.lines)
                .startsWith(
                        "bench: Bench.fast n=1 runs in turn, not as a duet: its other threads have 48% of the processor"
                                + " time",
                        "bench: Bench.sleeps runs in turn, not as a duet: its other threads have 48% of the processor"
                                + " time");
        assertThat(jmh.trials()).hasSize(2);
        assertThat(jmh.calls()).as("A B B A").containsExactly("fast1", "sleeps", "sleeps", "fast1");
        assertThat(session(plan.sides().getFirst()).forks())
                .hasSize(2)
                .allMatch(fork -> fork.iterations().isEmpty());
        assertThat(session(plan.sides().getLast()).trials().get("demo.Bench.sleeps"))
                .isEqualTo(new BenchmarkSession.Trial(1, 0.48));
    }

    /** Users may change and build code while it is measured. */
    @Tag("long")
    @Test
    void aJarThatIsBuiltAnewMeanwhileIsRefusedIfItsClassesAreOthers() throws IOException {
        BenchmarkPlan plan = oneSide("modes", "-f", "3");
        assertMalformed(
                () -> run(plan, rebuiltAfterTheFirstFork("Other.class")),
                jmh.jar().file() + ": expected the same classes for the whole run, got another build of"
                        + " them; repeat the command to start with this build");
        assertThat(heard.lines).as("the fork before").hasSize(1);
        assertThat(run(plan)).isEqualTo(End.COMPLETE);
        assertThat(heard.before).as("forks of other classes do not count").isZero();
    }

    @Tag("long")
    @Test
    void aJarThatIsBuiltAnewOfTheSameSourceGoesOn() throws IOException {
        assertThat(run(oneSide("modes", "-f", "3"), rebuiltAfterTheFirstFork("")))
                .isEqualTo(End.COMPLETE);
    }

    private BooleanSupplier rebuiltAfterTheFirstFork(String more) {
        var done = new AtomicBoolean();
        // Called for the first time before the second fork starts.
        return () -> {
            if (heard.lines.size() == 1 && !done.getAndSet(true)) {
                try {
                    jmh.rebuild(more);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            return false;
        };
    }

    /** Two rows run simultaneously with one reference, which has a fork for each of theirs. */
    @Test
    void oneSideRunsBesideItsReferences() throws IOException {
        List<BenchmarkCell> fast = jmh.cells("fast", "-f", "2");
        List<BenchmarkCell> cells =
                List.of(fast.get(0), fast.get(1), jmh.cells("sleeps", "-f", "4").getFirst());
        jmh.repair();
        var plan = new BenchmarkPlan(
                List.of(new BenchmarkSide("A", jmh.jar(), cells)), "", new TreeMap<>(Map.of(0, 2, 1, 2)));
        assertThat(plan.turns()).hasSize(4).allMatch(BenchmarkPlan.Turn::isDuet);
        assertThat(run(plan)).isEqualTo(End.COMPLETE);
        assertThat(rows(files.results(plan.sides().getFirst())).findValuesAsText("forks"))
                .containsExactly("2", "2", "4");
    }

    @Test
    void aDuetOfWhichOneForkFailsEndsBothAndIsDoneAgainWhole() throws IOException {
        List<BenchmarkCell> sleeps = jmh.cells("sleeps", "-f", "1");
        List<BenchmarkCell> fails = jmh.cells("fails", "-f", "1");
        var plan = new BenchmarkPlan(
                List.of(new BenchmarkSide("A", jmh.jar(), sleeps), new BenchmarkSide("B", jmh.jar(), fails)),
                "fails",
                new TreeMap<>(Map.of(0, 0)));
        assertThat(run(plan)).as("not after ten minutes of sleep").isEqualTo(End.FAILED);
        assertThat(heard.lines)
                .containsExactly("lemmata: Bench.fails, side B: failed: java.lang.IllegalStateException: broken");
        jmh.repair();
        assertThat(run(plan)).isEqualTo(End.COMPLETE);
        assertThat(jmh.calls()).hasSize(4);
    }

    private BenchmarkSession session(BenchmarkSide side) throws IOException {
        return session(side, files);
    }

    private static BenchmarkSession session(BenchmarkSide side, BenchmarkFiles files) throws IOException {
        return Objects.requireNonNull(
                RunRecord.read(RunRecord.beside(files.results(side))).session());
    }

    @Test
    void aFailureKeepsOlderResultsAndTheOtherForks() throws IOException {
        Files.createDirectories(files.directory());
        Path results = Files.writeString(files.directory().resolve("latest.json"), "older");
        BenchmarkPlan plan = oneSide("fails|fast", "-p", "n=1");
        assertThat(run(plan)).isEqualTo(End.FAILED);
        assertThat(heard.lines).contains("lemmata: Bench.fails: failed: java.lang.IllegalStateException: broken");
        assertThat(jmh.calls()).as("a cell that failed is not tried again").containsExactly("fails", "fast1", "fast1");
        assertThat(results).hasContent("older");
        Path incomplete = files.directory().resolve("latest.incomplete.json");
        assertThat(rows(incomplete).size()).isEqualTo(1);
        assertThat(rows(incomplete).at("/0/benchmark").asText()).isEqualTo("demo.Bench.fast");
        assertThat(session(plan.sides().getFirst(), files.incomplete()).forks()).hasSize(2);

        jmh.repair();
        assertThat(run(plan)).isEqualTo(End.COMPLETE);
        assertThat(incomplete).doesNotExist();
        assertThat(jmh.calls().subList(3, 5)).containsExactly("fails", "fails");
        assertThat(heard.before).isEqualTo(2);
        assertThat(raw(results, 1)).isEqualTo("[[1],[2]]");
    }

    @Test
    void leavesOutWhatTheProcessorCannotRun() throws IOException {
        jmh.useIllegalInstruction();
        BenchmarkPlan plan = oneSide("fails|fast", "-p", "n=1");
        assertThat(run(plan)).isEqualTo(End.COMPLETE);
        assertThat(heard.lines)
                .contains("lemmata: Bench.fails: left out, since this processor lacks an instruction that it uses:"
                        + " SIGILL");
        assertThat(jmh.calls()).containsExactly("fails", "fast1", "fast1");
        Path results = files.results(plan.sides().getFirst());
        assertThat(rows(results).findValuesAsText("benchmark")).containsExactly("demo.Bench.fast");

        assertThat(run(oneSide("fails"))).as("nothing is left").isEqualTo(End.FAILED);
    }

    @Test
    void goesOnAfterItWasStoppedInTheMiddleOfAFork() throws IOException {
        BenchmarkPlan plan = oneSide("fast|sleeps", "-p", "n=1");
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        BooleanSupplier asleep = () -> {
            try {
                return jmh.calls().contains("sleeps") || System.nanoTime() > deadline;
            } catch (IOException e) {
                return true;
            }
        };
        assertThat(run(plan, asleep)).isEqualTo(End.STOPPED);
        assertThat(jmh.calls()).containsExactly("fast1", "sleeps");
        assertThat(directory.resolve("results/latest.json")).doesNotExist();

        String fork = Files.readAllLines(files.journal()).getLast();
        Instant first = Instant.parse(
                JsonMapper.builder().build().readTree(fork).get("start").asText());
        // The run was killed while it wrote a line.
        Files.writeString(files.journal(), "{\"side\":0,\"cell\":1,\"fo", StandardOpenOption.APPEND);
        jmh.repair();
        assertThat(run(plan)).isEqualTo(End.COMPLETE);
        assertThat(heard.before).isEqualTo(1);
        assertThat(jmh.calls().subList(2, 5)).containsExactly("sleeps", "fast1", "sleeps");
        assertThat(raw(directory.resolve("results/latest.json"), 0)).isEqualTo("[[1],[3]]");
        RunRecord record = RunRecord.read(directory.resolve("results/latest.run.json"));
        assertThat(record.time()).as("not when it went on").isEqualTo(first.truncatedTo(ChronoUnit.SECONDS));
        assertThat(Objects.requireNonNull(record.session()).forks().getFirst().start())
                .isEqualTo(first);
    }

    @Tag("long")
    @Test
    void putsTheForksOfAnotherPlanAsideAndTakesThemBack() throws IOException {
        assertThat(run(oneSide("fast"), () -> !heard.lines.isEmpty())).isEqualTo(End.STOPPED);
        String forks = Files.readString(files.journal());
        assertThat(run(oneSide("modes"), () -> heard.lines.size() > 1)).isEqualTo(End.STOPPED);
        assertThat(heard.before).isZero();
        Path aside = Objects.requireNonNull(heard.aside);
        assertThat(aside).hasContent(forks);
        assertThat(run(oneSide("fast"))).isEqualTo(End.COMPLETE);
        assertThat(heard.before).isEqualTo(1);
        assertThat(jmh.calls()).containsExactly("fast1", "modes", "fast2", "fast1", "fast2");
        assertThat(aside).doesNotExist();
        assertThat(Objects.requireNonNull(heard.aside)).exists();
    }

    @Test
    void forgetsForksThatWereAsideForAMonth() throws IOException {
        Files.createDirectories(files.directory());
        var names = List.of(
                ".latest.journal.0123456789abcdef",
                ".latest.journal.other.journal",
                ".latest.journal.fedcba9876543210");
        for (String name : names) {
            Path file = Files.createFile(files.directory().resolve(name));
            Instant time = Instant.now().minus(Duration.ofDays(name.endsWith("0") ? 29 : 31));
            Files.setLastModifiedTime(file, FileTime.from(time));
        }
        assertThat(run(oneSide("modes", "-f", "1"))).isEqualTo(End.COMPLETE);
        assertThat(names.stream()
                        .map(files.directory()::resolve)
                        .filter(Files::exists)
                        .map(Path::getFileName))
                .map(Path::toString)
                .containsExactly(names.get(1), names.get(2));
    }

    @Test
    void oneSideRemovesTheSecondOneOfAnOlderRun() throws IOException {
        List<BenchmarkCell> cells = jmh.cells("modes", "-f", "1");
        var both = twoSides("itself", cells, Map.of());
        assertThat(run(both)).isEqualTo(End.COMPLETE);
        Path second = files.results(both.sides().getLast());
        assertThat(List.of(second, RunRecord.beside(second)))
                .allSatisfy(file -> assertThat(file).exists());
        assertThat(run(oneSide("modes", "-f", "1"))).isEqualTo(End.COMPLETE);
        assertThat(List.of(second, RunRecord.beside(second)))
                .noneSatisfy(file -> assertThat(file).exists());
        assertThat(files.results(both.sides().getFirst())).exists();
    }

    @Test
    void refusesASecondRunOfOneName() throws IOException {
        BenchmarkPlan plan = oneSide("modes");
        try (BenchmarkJournal journal = BenchmarkJournal.open(files.journal(), "plan")) {
            assertThat(journal.results()).isEmpty();
            assertThatThrownBy(() -> run(plan))
                    .isInstanceOf(MalformedFileException.class)
                    .hasMessageContaining("still running");
        }
    }

    @Test
    void hashesTheClassesAlone() throws IOException {
        BenchmarkJar again = jmh.again("again").jar();
        assertThat(again.hash()).isEqualTo(jmh.jar().hash());
        Path peers = Files.createDirectory(again.file().resolveSibling("peers-lib"));
        Files.writeString(peers.resolve("notes.txt"), "no jar");
        assertThat(again.hash()).isEqualTo(jmh.jar().hash());
        Files.copy(jmh.jar().file(), peers.resolve("peer.jar"));
        assertThat(again.hash())
                .as("its libraries count")
                .isNotEqualTo(jmh.jar().hash());
    }
}
