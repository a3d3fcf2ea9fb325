package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.cli.text.ScoreTable;
import org.lemmata.kernel.SelfCheck;
import org.lemmata.report.DemoInput;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.Comparison;
import org.lemmata.track.ProfileDirectory;

/** What first-time users see: the main commands, help, and readable messages. */
class FrontDoorTest {

    @TempDir
    private Path directory;

    @Test
    void withoutACommandThreeThingsAreSaid() {
        CommandLineRun run = CommandLineRun.of().quiet();
        assertThat(run.outLines().stream().filter(line -> line.startsWith("  lemmata ")))
                .extracting(line -> line.strip().split(" ", -1)[1])
                .containsExactly("verify", "train", "bench");
        assertThat(run.out())
                .contains("lemmata help", "lemmata doctor")
                .isEqualTo(CommandLineRun.of("help", "start").quiet().out());
    }

    @Test
    void everyTopicThatHelpListsIsTold() {
        CommandLineRun all = CommandLineRun.of("help").quiet();
        List<String> topics = all.outLines().stream()
                .dropWhile(line -> !line.startsWith("Topics: "))
                .flatMap(line -> List.of(line.replaceFirst(".*[:;] ", "").split(", ", -1)).stream())
                .toList();
        assertThat(topics)
                .contains("exit-codes", "optimizer", "dyck-words", "dyck-completion")
                .hasSizeGreaterThan(25);
        assertThat(topics)
                .allSatisfy(topic -> assertThat(
                                CommandLineRun.of("help", topic).quiet().out())
                        .as(topic)
                        .isNotBlank());
        assertThat(CommandLineRun.of("help", "round").quiet().out())
                .isEqualTo(CommandLineRun.of("round", "--help").quiet().out());
        assertThat(CommandLineRun.of("help", "model").quiet().out()).contains("model.attention.heads=");
        assertThat(CommandLineRun.of("help", "simple-task").quiet().out())
                .as("a task and a construction")
                .contains("simple-task: ")
                .containsSubsequence("simple-task: ", "simple-task: ");
    }

    @Test
    void shellsCompleteCommandsAndOptions() {
        assertThat(CommandLineRun.of("generate-completion").quiet().out())
                .contains("_complete_lemmata", "bfloat16", "--limit-hours");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "verify @",
                "round --format @",
                "run @",
                "run parity-chain -p bits=@",
                "@",
                "--@",
                "verify -p @",
                "generate @ -n 1 --out x",
                "round --seed @",
                "train x.yaml @ --out y",
                "claims --@"
            })
    void whatWasTypedIsShownShortAndHarmless(String line) {
        String typed = "\u001b[31mred\u0000" + "x".repeat(200);
        String[] args = line.split(" ");
        for (int i = 0; i < args.length; i++) {
            args[i] = args[i].replace("@", typed);
        }
        CommandLineRun run = CommandLineRun.of(args);
        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.errLines())
                .singleElement()
                .satisfies(message ->
                        assertThat(message).doesNotContainPattern("[\\p{Cc}]").doesNotContain("x".repeat(60)));
    }

    @Test
    void aSettingWithoutANameIsOneThatHasNone() {
        CommandLineRun run = CommandLineRun.line("run parity-chain -p =1");
        assertThat(run.err())
                .isEqualTo(
                        "lemmata: name: expected one of the settings bits, subset, samples, seed, method, lambda, got"
                                + " ''\n");
    }

    /** The shell writes the name, because a JVM in this locale cannot write its bytes. */
    @Test
    void aLocaleWithoutALetterIsNamed() throws Exception {
        List<String> shell = List.of("env", "LC_ALL=C", "bash", "-c", "exec \"$@\" $'\\303\\274.json'", "bash");
        try (ChildJvm child =
                ChildJvm.start(directory, shell, List.of(), List.of("report", "--out", "unused", "--claims"))) {
            assertThat(child.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(child.errorLines())
                    .singleElement()
                    .asString()
                    .endsWith("the locale's encoding for names is ANSI_X3.4-1968: set LC_ALL=C.UTF-8");
        }
    }

    @Test
    void theJsonOfCompareSaysThatThereIsNoRun() throws Exception {
        List<String> there = List.of("sh", "-c", "cd \"$0\" && exec \"$@\"", directory.toString());
        try (ChildJvm run = ChildJvm.start(directory, there, List.of(), List.of("compare", "--json=comparison.json"))) {
            assertThat(run.exitCode()).isEqualTo(3);
            String why = "no baseline named, and no run in jmh-results/latest.json; mvn -P jmh verify measures one";
            assertThat(run.errorLines()).containsExactly("lemmata: compare: " + why);
            assertThat(Comparison.read(directory.resolve("comparison.json")).refused())
                    .isEqualTo(why);
        }
    }

    /** A device is endless, and a file may be larger than memory. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "train /dev/zero --out x",
                "sweep /dev/zero --dry-run",
                "report --claims /dev/zero --out x",
                "report --jmh /dev/zero --out x",
                "run parity-chain --input /dev/zero"
            })
    void aFileIsNotReadUntilMemoryEnds(String line) {
        CommandLineRun run = CommandLineRun.of(line.split(" "));
        assertThat(run.code()).as("%s", run).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).containsPattern("expected (lines of )?at most \\d+ MiB, got");
    }

    @Test
    void longLinesPassWhereTheyEnd() throws IOException {
        Path file = Files.writeString(directory.resolve("lines"), "0".repeat(100_000) + "\n" + "1".repeat(100_000));
        try (var reader = InputFile.open(file.toString())) {
            assertThat(reader.readLine()).hasSize(100_000);
            assertThat(reader.readLine()).hasSize(100_000);
            assertThat(reader.readLine()).isNull();
        }
    }

    @Test
    void moreHeapIsOfferedWhereItHelps() {
        var full = new OutOfMemoryError("Java heap space");
        assertThat(Lemmata.outOfMemory(full, 2L << 30, 8L << 30))
                .isEqualTo(
                        "out of memory: expected more than 2048 MiB of heap; LEMMATA_JAVA_OPTIONS=-Xmx... gives more:"
                                + " the machine has 8192 MiB");
        assertThat(Lemmata.outOfMemory(full, 8L << 30, 8L << 30)).doesNotContain("-Xmx");
        assertThat(Lemmata.outOfMemory(new OutOfMemoryError("Metaspace"), 2L << 30, 8L << 30))
                .isEqualTo("out of memory: Metaspace");
    }

    @Test
    void aNameThatTheLocaleCannotExpressIsToldApart() {
        String hint = "; the locale's encoding for names is ANSI_X3.4-1968: set LC_ALL=C.UTF-8";
        assertThat(OneLineErrors.locale("\ufffd\ufffdn.txt: expected a file, got none", "ANSI_X3.4-1968"))
                .isEqualTo(hint);
        assertThat(OneLineErrors.locale(
                        "Malformed input or input contains unmappable characters: \u00fc", "ANSI_X3.4-1968"))
                .isEqualTo(hint);
        assertThat(OneLineErrors.locale("\ufffd.txt: expected a file, got none", "UTF-8"))
                .isEmpty();
        assertThat(OneLineErrors.locale("x.txt: expected a file, got none", "ANSI_X3.4-1968"))
                .isEmpty();
    }

    @Test
    void aBusyMachineKeepsKernelsFromBeingJudged() {
        var slow = new SelfCheck.Result("a", SelfCheck.Condition.SLOW, 1.5, 3, 0, 1);
        var right = new SelfCheck.Result("b", SelfCheck.Condition.OK, 12, 3, 0, 1);
        assertThat(DoctorCommand.exitCode(List.of(right, slow))).isEqualTo(ExitCode.CONTRARY);
        assertThat(DoctorCommand.exitCode(List.of(right, slow.besideOtherWork())))
                .isEqualTo(ExitCode.INCONCLUSIVE);
        assertThat(DoctorCommand.exitCode(List.of(right, right.besideOtherWork())))
                .isEqualTo(ExitCode.CLEAN);
        assertThat(List.of(right, slow, slow.besideOtherWork()))
                .extracting(SelfCheck.Result::description)
                .allMatch(text -> text.endsWith("x scalar, expected at least 3.0x"));
    }

    /** Kernel, compiler and garbage collector need three processors, or all if there are fewer. */
    @Test
    void besideOtherWorkASlowKernelIsNotJudged() {
        var right = new SelfCheck.Result("a", SelfCheck.Condition.OK, 9, 3, 0, 1e-6);
        var slow = new SelfCheck.Result("b", SelfCheck.Condition.SLOW, 1, 3, 0, 1e-6);
        List<SelfCheck.Result> found = List.of(right, slow);
        List<SelfCheck.Result> busy = DoctorCommand.judged(found, 0.5, 2);
        assertThat(busy)
                .extracting(SelfCheck.Result::description)
                .containsExactly(
                        "ok: 9.0x scalar, expected at least 3.0x",
                        "busy: not judged: 1.0x scalar, expected at least 3.0x");
        assertThat(DoctorCommand.exitCode(busy)).isEqualTo(ExitCode.INCONCLUSIVE);
        assertThat(DoctorCommand.judged(found, 0.11, 2)).contains(slow.besideOtherWork());
        assertThat(DoctorCommand.judged(found, 0.09, 2)).isEqualTo(found);
        assertThat(DoctorCommand.judged(found, 0.9, 64)).isEqualTo(found);
        assertThat(DoctorCommand.judged(found, Double.NaN, 2)).isEqualTo(found);
    }

    @Test
    void aLongCheckTellsWhatKeepsItWaiting() throws InterruptedException {
        var err = new StringWriter();
        var calls = new CountDownLatch(3);
        DoubleSupplier others = () -> {
            calls.countDown();
            return 0.517;
        };
        try (var _ = DoctorCommand.progress(new PrintWriter(err, true), Duration.ofMillis(1), others)) {
            assertThat(calls.await(10, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(err.toString().lines())
                .startsWith("doctor: calling the kernels for 0 s; other work has 52% of the processors");
    }

    @Test
    void profilesAreToldWithTheirFilesAndTheCollectorsRows() throws IOException {
        BenchmarkRow row = DemoInput.row(
                "org.lemmata.model.GenerationBenchmark.vector",
                "thrpt",
                "ops/s",
                10,
                Map.of("length", "6\u001b4"),
                List.of(),
                Map.of(
                        "gc.alloc.rate.norm", new BenchmarkRow.Metric(24.03, 0, "B/op", List.of()),
                        "tokens", new BenchmarkRow.Metric(1, 0, "ops/s", List.of())));
        Instant began = Instant.ofEpochSecond(1000);
        assertThat(ScoreTable.profiles(directory, List.of(row), began))
                .isEqualTo("org.lemmata.model.GenerationBenchmark.vector length=6?4 (thrpt): gc.alloc.rate.norm 24.03"
                        + " B/op\n");
        Path own = ProfileDirectory.of(directory, row.benchmark(), row.mode(), row.params());
        Files.createDirectories(own);
        Path flames = Files.writeString(own.resolve(ProfileDirectory.FLAME_GRAPH), "");
        Files.setLastModifiedTime(flames, FileTime.from(began));
        assertThat(ScoreTable.profiles(directory, List.of(row), began))
                .startsWith("profile: " + own.resolve("flame-cpu-forward.html") + "\n");
        assertThat(ScoreTable.profiles(directory, List.of(row), began.plusSeconds(1)))
                .as("a file that an earlier run wrote")
                .doesNotContain("profile: ");
    }
}
