package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.bench.StandInJmh;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.track.BenchmarkSession;
import org.lemmata.track.Comparison;
import org.lemmata.track.History;
import org.lemmata.track.History.HistoryEntry;
import org.lemmata.track.JmhResults;
import org.lemmata.track.RunRecord;

/**
 * Whole command lines, with a stand-in for a JMH jar. A run that is killed with SIGKILL and repeated writes the same
 * file; no finished fork runs twice.
 */
class BenchCommandTest {

    @TempDir
    private Path directory;

    @SuppressWarnings("NullAway.Init")
    private StandInJmh jmh;

    @BeforeEach
    void build() throws IOException {
        jmh = StandInJmh.build(directory);
    }

    private CommandLineRun bench(String... words) {
        boolean named = List.of(words).contains("--name");
        var all = new ArrayList<>(List.of("bench", "--jar", jmh.jar().file().toString(), "--results"));
        all.add(results().toString());
        all.addAll(List.of(words));
        all.addAll(named ? List.of() : List.of("--name", "bench-command-test"));
        return CommandLineRun.of(all.toArray(String[]::new));
    }

    private Path results() {
        return directory.resolve("results");
    }

    private Path results(String name) {
        return results().resolve("bench-command-test" + name + ".json");
    }

    @Test
    void theHelpOfJmhIsPrinted() {
        assertThat(CommandLineRun.of(
                                "bench", "--args=-h", "--jar", jmh.jar().file().toString())
                        .clean()
                        .out())
                .contains("regexp*");
    }

    @Test
    void oneSideIsCleanAndIsAddedToTheHistory() throws IOException {
        CommandLineRun run = bench("fast", "-f", "2", "--args=-p n=1 -wi 1 -w 3 -i 2 -r 500ms")
                .clean();
        assertThat(run.outLines())
                .containsExactly(
                        "Benchmark   (n)  Mode  Cnt  Score  Error  Units",
                        "Bench.fast  1    avgt  2    1.500         ns/op",
                        "results: " + results(""));
        assertThat(run.errLines()).hasSize(4);
        assertThat(run.errLines().getFirst()).matches("bench: forks run on .+ \\d+\\.\\S+, .*/bin/java");
        assertThat(run.errLines().get(1)).isEqualTo("bench: 2 forks take at least 12 s");
        assertThat(run.errLines().get(2)).matches("bench: 1 of 2 forks, Bench\\.fast n=1: 1\\.00000 ns/op; .+ left");
        assertThat(run.errLines().getLast()).isEqualTo("bench: 2 of 2 forks, Bench.fast n=1: 2.00000 ns/op");
        assertThat(JmhResults.read(results("")).getFirst().samples()).isEqualTo(List.of(List.of(1.0), List.of(2.0)));
        assertThat(History.read(results().resolve("history.jsonl")))
                .extracting(HistoryEntry::time)
                .containsExactly(RunRecord.read(RunRecord.beside(results(""))).time());
        // Runs with a profiler are not in the history, because profilers change the speed.
        assertThat(bench("modes", "-f", "1", "--prof=gc").clean().errLines().get(1))
                .startsWith("bench: 1 fork takes at least ");
        assertThat(History.read(results().resolve("history.jsonl"))).hasSize(1);
    }

    /** Scores 1 and 4 against 2 and 3: two forks cannot show a difference. */
    @Test
    void besideItselfTellsTheNoiseFloorAndTheMarginDecides() throws IOException {
        CommandLineRun run =
                bench("fast", "-p", "n=1", "--aa", "--in-turn", "-f", "2").exits(3);
        assertThat(jmh.calls()).hasSize(4);
        assertThat(run.errLines()).anyMatch(line -> line.startsWith("bench: 2 of 4 forks, Bench.fast n=1, side B: 2"));
        assertThat(run.out())
                .contains("results: " + results(".against"))
                .contains("relative to " + jmh.jar().file() + ", which is the same code: any difference is noise")
                .contains("\n"
                        + "noise floor  half the width of the interval; about half of all runs find a change of"
                        + " this size\n")
                .contains("\ntakes        forks per version that would decide the row");
        assertThat(run.outLines().getLast())
                .isEqualTo("next: these forks have no noise floor: try more of them (-f 10), longer iterations or a"
                        + " quieter machine");
        CommandLineRun wide = bench(
                        "fast", "-p", "n=1", "--aa", "--in-turn", "-f", "2", "--margin", "1%", "--margin", "fast=1e14%")
                .clean();
        assertThat(wide.outLines()).contains("1 same");
        CommandLineRun compare = CommandLineRun.clean("compare %s --margin 1e14%", results(""));
        assertThat(compare.out()).contains("forks in turn, A B B A").contains("noise floor");
    }

    @Tag("long")
    @Test
    void anotherBenchmarkMeasuresUnderTheSameSettings() throws IOException {
        jmh.repair();
        bench("modes", "--against", "sleeps$", "-f", "1")
                .refused("--against sleeps$: expected the -bm of Bench.modes, AverageTime,Throughput,"
                        + " also for Bench.sleeps, got AverageTime; pass -bm to set it for both");
        assertThat(jmh.calls()).isEmpty();
        CommandLineRun alike =
                bench("fails", "--against", "sleeps$", "--in-turn", "-f", "1").exits(3);
        assertThat(alike.out())
                .contains("Speed of Bench.fails relative to sleeps$\n")
                .contains("forks in turn, A B B A")
                .contains("Bench.fails (avgt); against Bench.sleeps");
        assertThat(Objects.requireNonNull(
                                RunRecord.read(RunRecord.beside(results(""))).session())
                        .against())
                .isEqualTo("sleeps$");
    }

    @Tag("long")
    @Test
    void anotherJarIsNamedAndTheNextStepIsACommand() throws IOException {
        Path old = jmh.again("old", StandInJmh.LIST + "\n").jar().file();
        CommandLineRun same = bench("modes", "--against", old.toString()).clean();
        assertThat(same.out()).startsWith(jmh.jar().file() + " and " + old + " have the same classes: no row");
        assertThat(bench("modes", "--against", jmh.jar().file().toString())
                        .clean()
                        .out())
                .contains("have the same classes: no row");
        assertThat(jmh.calls()).isEmpty();

        jmh.rebuild("Other.class");
        Path json = directory.resolve("comparison.json");
        CommandLineRun run = bench("fast -p n=1 --against %s --in-turn -f 2 --json %s"
                        .formatted(old, json)
                        .split(" "))
                .clean();
        assertThat(run.errLines())
                .contains("bench: comparing " + jmh.jar().file() + " (A) with the baseline " + old + " (B)");
        assertThat(run.out()).contains("Speed of " + jmh.jar().file() + " relative to " + old + "\n");
        assertThat(run.outLines().getLast()).startsWith("next: nothing is slower");
        assertThat(Comparison.read(json).baseline()).isEqualTo(old.toString());
        CommandLineRun later = CommandLineRun.of("compare", results("").toString());
        assertThat(later.out()).contains(" relative to " + old + "\n");
    }

    @Test
    void aFailureIsExitCode2AndLeavesNoResults() {
        CommandLineRun run = bench("fails|modes", "-f", "1").exits(2);
        assertThat(run.errLines())
                .contains(
                        "lemmata: Bench.fails: failed: java.lang.IllegalStateException: broken",
                        "bench: no results, since a benchmark failed; the rows that ran are in "
                                + results(".incomplete") + ", JMH's output is in target/bench/bench-command-test.log");
        assertThat(results("")).doesNotExist();
        assertThat(results(".incomplete")).exists();
    }

    /** The number of forks that end in time depends on the machine, so the command is repeated until a pair ended. */
    @Test
    void aRunThatWasCutHasNoVerdict() throws IOException {
        CommandLineRun none = bench("fast", "-p", "n=1", "--aa", "--in-turn", "-f", "4", "--limit-minutes", "0")
                .exits(130);
        assertThat(none.errLines())
                .contains("bench: time limit reached: the results have 0 of 8 forks; repeat the command to run the"
                        + " others");
        assertThat(jmh.calls()).isEmpty();
        CommandLineRun run = CommandLineRun.of("--version");
        for (int i = 0; i < 40 && !Files.exists(results("")); i++) {
            run = bench("fast", "-p", "n=1", "--aa", "--in-turn", "-f", "200", "--limit-minutes", "0.01");
        }
        assertThat(run.code()).isEqualTo(3);
        assertThat(run.errLines())
                .anyMatch(
                        line -> line.matches("bench: \\d+ forks take at least .*, which is more than --limit-minutes"));
        assertThat(run.errLines().getLast())
                .matches("bench: time limit reached: the results have \\d+ of 400 forks; repeat the command to run the"
                        + " others");
        assertThat(run.out()).containsPattern("inconclusive .*; cut by --limit-minutes after \\d+ of 400 forks\n");
        assertThat(run.outLines().getLast())
                .isEqualTo("next: repeat the command to run the other forks and get verdicts");
        CommandLineRun.of("compare", results("").toString()).exits(3);
    }

    @Test
    void theSuiteIsReadWhereNothingIsNamed() throws IOException {
        Path suite = Files.writeString(directory.resolve("suite"), "modes -f 1\nfast -p n=4 -f 1\n");
        bench("--suite", suite.toString()).clean();
        assertThat(jmh.calls()).containsExactly("modes", "fast4");
        bench("--suite", suite.toString(), "fast", "-p", "n=5", "-f", "1").clean();
        assertThat(jmh.calls()).containsExactly("modes", "fast4", "fast5");
    }

    @Test
    void aListingIsJmhsOwn() throws IOException {
        CommandLineRun run = bench("-lp", "fast").clean();
        assertThat(run.outLines()).containsExactly("Benchmarks: ", "demo.Bench.fast", "  param \"n\" = {1, 2}");
        assertThat(jmh.calls()).isEmpty();
    }

    /** Runs one fork from a separate JVM. */
    private ChildJvm fork(List<String> before, String... options) throws IOException {
        String[] words = "bench --jar %s --results %s --name bench-command-test fast -f 1"
                .formatted(jmh.jar().file(), results())
                .split(" ");
        return ChildJvm.start(directory, before, List.of(options), List.of(words));
    }

    @Test
    void aMissingDirectoryForTemporaryFilesIsNamed() throws Exception {
        Path missing = directory.resolve("missing");
        try (ChildJvm bench = fork(List.of(), "-Djava.io.tmpdir=" + missing)) {
            assertThat(bench.exitCode()).isEqualTo(2);
            assertThat(bench.errorLines())
                    .anyMatch(line -> line.endsWith("; java.io.tmpdir names a directory that is missing, " + missing));
        }
    }

    /** A JVM of JAVA_HOME that is too old runs no forks; -jvm names another one. */
    @Test
    void anotherJvmThanThatOfTheEnvironmentCanBeNamed() throws Exception {
        Path old = Files.createDirectories(directory.resolve("old/bin")).resolve("java");
        Files.writeString(old, "#!/bin/sh\necho old\n");
        assertThat(old.toFile().setExecutable(true)).isTrue();
        List<String> before = List.of("env", "JAVA_HOME=" + directory.resolve("old"));
        try (ChildJvm bench = fork(before)) {
            assertThat(bench.exitCode()).isEqualTo(2);
            assertThat(bench.errorLines()).anyMatch(line -> line.endsWith("17 or newer, got old"));
        }
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> words = List.of("bench", "--jar", jmh.jar().file().toString(), "-l", "-jvm", java);
        try (ChildJvm bench = ChildJvm.start(directory, before, List.of(), words)) {
            assertThat(bench.exitCode()).as("%s", bench.errorLines()).isZero();
        }
    }

    /** The locale must have the letter; bin/lemmata sets such a locale. */
    @Test
    void aValueMayHaveLettersBeyondAscii() throws Exception {
        jmh.give("\u00fc, y");
        try (ChildJvm bench = fork(List.of("env", "LC_ALL=C.UTF-8"))) {
            assertThat(bench.exitCode()).as("%s", bench.errorLines()).isZero();
        }
        assertThat(jmh.calls()).containsExactly("fast\u00fc", "fasty");
        assertThat(JmhResults.read(results("")).getFirst().params()).isEqualTo(Map.of("n", "\u00fc"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        fast --aa --against x; --aa: expected no --against with it, got x
        fast --margin 5%; --margin: expected --against or --aa with it, got neither
        fast --aa --margin x; --margin: expected a share such as 2% or 0.02, got x
        fast --aa --margin 5; --margin: expected a share such as 2% or 0.02, got 5
        fast --limit-minutes -3; --limit-minutes: expected a number of at least 0, got -3.0
        [; JMH: Unclosed character class near index 0
        fast --json=x; --json: expected --against or --aa with it, got neither
        fast -f 0; -f: expected at least 1, got 0
        fast -rf csv; -rf csv: expected to be left out: results are JMH's JSON under jmh-results, by --name, JMH's output is under target/bench, and a benchmark that fails always fails the run
        fast --name a.against; --name: expected letters, digits, '.', '_' and '-', without .run, .against or .incomplete at the end, got a.against
        fast --name a.incomplete; --name: expected letters, digits, '.', '_' and '-', without .run, .against or .incomplete at the end, got a.incomplete
        fast -bad 1; JMH: bad is not a recognized option
        fast --against nonsense; --against: expected a jar, a commit or a regular expression of benchmarks, got nonsense
        fast --against other.jar; --against: expected a jar, a commit or a regular expression of benchmarks, got other.jar: no such file
        fast --aa --json=src; --json: expected a file, got the directory src
        """)
    void badInputIsOneLineBeforeAnythingRuns(String words, String message) throws IOException {
        bench(words.split(" ")).refused(message);
        assertThat(jmh.calls()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"'',none", "--jar,/a.jar"})
    void aBuildHasAJarThatIsInTheCheckout(String option, String jar) {
        CommandLineRun run = CommandLineRun.line("bench --build make %s", option.isEmpty() ? "" : option + " " + jar);
        assertThat(run.errLines())
                .containsExactly(
                        "lemmata: --build: expected --jar with it, the relative path of the jar that it builds, got "
                                + jar);
        assertThat(run.code()).isEqualTo(2);
    }

    @Test
    void aMissingJarSaysWhatBuildsIt() {
        String missing = directory.resolve("missing.jar").toString();
        CommandLineRun.of("bench", "--jar", missing).refused(missing + ": expected a jar of benchmarks, got none");
        CommandLineRun.of("bench", "--jar", directory.toString())
                .refused(directory + ": expected a jar of benchmarks, got a directory");
    }

    @Test
    void aMissingFileOfAcceptedSlowDownsIsFoundBeforeTheFirstFork() throws IOException {
        Path missing = directory.resolve("accepted");
        bench("fast", "--aa", "--accept", missing.toString()).refusedWith(missing.toString());
        assertThat(jmh.calls()).isEmpty();
    }

    private static final String NAME = "killed-bench-test";

    private static List<String> command(StandInJmh jmh, Path results, String filter) {
        return List.of("bench --jar %s --results %s --name %s %s -p n=1 -f 2"
                .formatted(jmh.jar().file(), results, NAME, filter)
                .split(" "));
    }

    private static CommandLineRun run(StandInJmh jmh, Path results) {
        return CommandLineRun.of(command(jmh, results, "fast|sleeps").toArray(String[]::new));
    }

    private static int asleep(StandInJmh jmh) {
        try {
            return Collections.frequency(jmh.calls(), "sleeps");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aSecondRunOfTheSameNameIsRejected() throws Exception {
        Path results = directory.resolve("results");
        List<String> fast = command(jmh, results, "fast");
        try (ChildJvm first = ChildJvm.start(directory, command(jmh, results, "fast|sleeps"))) {
            first.await(() -> asleep(jmh) == 1);
            try (ChildJvm second = ChildJvm.start(directory, fast)) {
                assertThat(second.exitCode()).as("%s", second.errorLines()).isEqualTo(ExitCode.USAGE);
                assertThat(second.errorLines())
                        .singleElement()
                        .asString()
                        .endsWith("expected no other run of this name, got one that is still running");
            }
            first.process().descendants().forEach(ProcessHandle::destroyForcibly);
        }
        assertThat(results.resolve(NAME + ".json")).doesNotExist();
    }

    @Test
    @Tag("long")
    void aRunKilledTwiceEndsAsOneThatWasNot() throws Exception {
        StandInJmh undisturbed = jmh.again("undisturbed");
        undisturbed.repair();
        Path expected = directory.resolve("undisturbed");
        run(undisturbed, expected).clean();
        assertThat(undisturbed.calls()).containsExactly("fast1", "sleeps", "fast1", "sleeps");

        Path results = directory.resolve("results");
        for (int life = 1; life <= 2; life++) {
            int sleeps = life;
            try (ChildJvm child = ChildJvm.start(directory, command(jmh, results, "fast|sleeps"))) {
                child.await(() -> asleep(jmh) == sleeps);
                List<ProcessHandle> forks = child.process().descendants().toList();
                assertThat(child.kill()).as("%s", child.errorLines()).isEqualTo(ChildJvm.KILLED);
                assertThat(forks)
                        .isNotEmpty()
                        .allSatisfy(fork -> assertThat(fork.destroyForcibly()).isTrue());
            }
        }
        jmh.repair();
        CommandLineRun last = run(jmh, results).clean();
        assertThat(last.errLines()).element(1).isEqualTo("bench: 1 of 4 forks ran before");
        assertThat(jmh.calls())
                .as("what slept when its run was killed is the only fork that is started again")
                .containsExactly("fast1", "sleeps", "sleeps", "sleeps", "fast1", "sleeps");
        assertThat(results.resolve(NAME + ".json")).hasSameTextualContentAs(expected.resolve(NAME + ".json"));
        assertThat(results.resolve("." + NAME + ".journal")).doesNotExist();
        BenchmarkSession session =
                Objects.requireNonNull(RunRecord.read(RunRecord.beside(results.resolve(NAME + ".json")))
                        .session());
        assertThat(session.forks()).hasSize(4);
        assertThat(Files.readAllLines(results.resolve("history.jsonl"))).hasSize(2);
    }
}
