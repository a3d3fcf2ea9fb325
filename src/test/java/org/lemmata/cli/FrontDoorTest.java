package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.kernel.SelfCheck;
import org.lemmata.report.DemoInput;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.Comparison;
import org.lemmata.track.ProfileDirectory;
import picocli.CommandLine;

/**
 * What first-time users see: the main commands, readable messages, JSON, and help. Every help text lists exit codes,
 * and its examples are command lines that the program accepts. {@code --json} alone prints JSON; {@code --json=FILE}
 * writes it to the file.
 */
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
        CommandLineRun run = CommandLineRun.of(args).exits(ExitCode.USAGE);
        assertThat(run.errLines())
                .singleElement()
                .satisfies(message ->
                        assertThat(message).doesNotContainPattern("[\\p{Cc}]").doesNotContain("x".repeat(60)));
    }

    @Test
    void aSettingWithoutANameIsOneThatHasNone() {
        CommandLineRun.line("run parity-chain -p =1")
                .refused("name: expected one of the settings bits, subset, samples, seed, method, lambda, got ''");
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
        assertThat(BenchCommand.profiles(directory, List.of(row), began))
                .isEqualTo("org.lemmata.model.GenerationBenchmark.vector length=6?4 (thrpt): gc.alloc.rate.norm 24.03"
                        + " B/op\n");
        Path own = ProfileDirectory.of(directory, row.benchmark(), row.mode(), row.params());
        Files.createDirectories(own);
        Path flames = Files.writeString(own.resolve(ProfileDirectory.FLAME_GRAPH), "");
        Files.setLastModifiedTime(flames, FileTime.from(began));
        assertThat(BenchCommand.profiles(directory, List.of(row), began))
                .startsWith("profile: " + own.resolve("flame-cpu-forward.html") + "\n");
        assertThat(BenchCommand.profiles(directory, List.of(row), began.plusSeconds(1)))
                .as("a file that an earlier run wrote")
                .doesNotContain("profile: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"verify depth.lemma-5.2", "tasks", "claims depth", "doctor --no-check"})
    void jsonAloneIsAllThatIsPrinted(String command) throws IOException {
        String out = CommandLineRun.clean(command + " --json").out();
        assertThat(CommandLineRun.json(out).isContainerNode()).isTrue();
        assertThat(out).doesNotContain("Supported    depth");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tasks", "claims depth", "doctor --no-check"})
    void aFileGetsIt(String command) throws IOException {
        Path file = directory.resolve("new.json");
        CommandLineRun run = CommandLineRun.clean(command + " --json=%s", file);
        assertThat(run.out()).isEmpty();
        assertThat(CommandLineRun.json(file).isContainerNode()).isTrue();
    }

    @Test
    void verdictsArePrintedBesideTheFile() throws IOException {
        Path file = directory.resolve("claims.json");
        assertThat(CommandLineRun.clean("verify depth.lemma-5.2 --json=%s", file)
                        .out())
                .startsWith("Supported");
        assertThat(CommandLineRun.json(file)).hasSize(1);
    }

    @Test
    void aFileAfterABlankIsTakenWithAHint() {
        var hints = new ArrayList<String>();
        assertThat(JsonCommand.withFiles(new String[] {"verify", "--json", "a.json", "depth"}, hints::add))
                .containsExactly("verify", "--json=a.json", "depth");
        assertThat(hints).containsExactly("--json a.json is read as --json=a.json; write it that way");
    }

    @Test
    void anotherWordAfterABlankIsNone() throws IOException {
        var hints = new ArrayList<String>();
        assertThat(JsonCommand.withFiles(new String[] {"verify", "--json", "depth"}, hints::add))
                .containsExactly("verify", "--json=-", "depth");
        Path results = Files.writeString(directory.resolve("results.json"), "[]");
        assertThat(JsonCommand.withFiles(new String[] {"compare", "--json", results.toString(), "now"}, hints::add))
                .containsExactly("compare", "--json=-", results.toString(), "now");
        assertThat(JsonCommand.withFiles(new String[] {"claims", "--json"}, hints::add))
                .containsExactly("claims", "--json=-");
        assertThat(hints).isEmpty();
    }

    /** Otherwise the JSON would replace a file that the command should read. */
    @ParameterizedTest
    @ValueSource(strings = {"tokenize --json %s", "train --json %s", "--plugin own.jar compare --json %s now.json"})
    void aFileWithOtherContentIsNoPlace(String command) throws IOException {
        Path file = Files.writeString(directory.resolve("input.json"), command.contains("compare") ? "[]" : "text: x");
        String[] words = command.formatted(file).split(" ");
        assertThat(JsonCommand.withFiles(words, hint -> {})).contains("--json=-", file.toString());
        Files.writeString(file, "{}");
        boolean reads = command.startsWith("tokenize");
        assertThat(JsonCommand.withFiles(words, hint -> {})).contains(reads ? "--json=-" : "--json=" + file);
        assertThat(JsonCommand.withFiles(command.formatted(directory).split(" "), hint -> {}))
                .contains("--json=-", directory.toString());
        Path other = directory.resolve("other.json");
        assertThat(JsonCommand.withFiles(command.formatted(other).split(" "), hint -> {}))
                .contains("--json=" + other);
    }

    /** Only root can create files beside a device, but others can write to the device. */
    @Test
    void aDeviceIsAPlace() {
        CommandLineRun.of("tasks", "--json=/dev/null").quiet();
        CommandLineRun.of("verify", "depth.claim-5.3", "--json=/dev/null", "--markdown=/dev/null")
                .quiet();
    }

    private static CommandLine lemmata(String... args) {
        var nowhere = new PrintWriter(Writer.nullWriter());
        return Lemmata.commandLine(new Lemmata(List.of()), nowhere, nowhere, args);
    }

    private static CommandLine.Model.UsageMessageSpec usage(String name) {
        return Objects.requireNonNull(lemmata().getSubcommands().get(name))
                .getCommandSpec()
                .usageMessage();
    }

    static Stream<String> commands() {
        return lemmata().getSubcommands().keySet().stream().filter(name -> !name.equals("generate-completion"));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void aCommandHasExitCodesAndExamplesThatParse(String name) {
        assertThat(CommandLineRun.of(name, "--help").quiet().out()).contains("Usage: lemmata " + name, "--help");
        CommandLine.Model.UsageMessageSpec usage = usage(name);
        assertThat(usage.exitCodeList()).containsKeys("0", "2");
        // A verb that addresses the reader: "Test claims", not "Tests claims".
        assertThat(usage.description()[0])
                .doesNotMatch("^[A-Za-z]+s .*")
                .endsWith(".")
                .hasSizeLessThan(90);
        // Formatted like picocli does, which warns about a single %.
        List<String> examples = Arrays.stream(usage.footer())
                .map(line -> String.format(Locale.ROOT, line))
                .toList();
        assertThat(examples).anyMatch(line -> line.contains("lemmata " + name)).allMatch(line -> line.startsWith("  "));
        for (String example : examples) {
            String[] words = example.replaceFirst("^.*lemmata ", "")
                    .replaceAll("['\"]([^'\"]*) ([^'\"]*) ([^'\"]*)['\"]", "$1_$2_$3")
                    .replace("'", "")
                    .split(" +", -1);
            assertThatCode(() -> lemmata(words).parseArgs(JsonCommand.withFiles(words, hint -> {})))
                    .as(example)
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void theListHasEveryCommandInOneOfFourGroups() {
        String help = CommandLineRun.of("--help").quiet().out();
        assertThat(help.lines().filter(line -> line.matches("[A-Z][a-z ]+:")).toList())
                .containsExactly(
                        "Claims and constructions:",
                        "Trained models:",
                        "Benchmarks:",
                        "Results and help:",
                        "Exit codes:",
                        "Examples:");
        lemmata().getSubcommands().keySet().forEach(name -> assertThat(help).contains("\n  " + name + " "));
    }
}
