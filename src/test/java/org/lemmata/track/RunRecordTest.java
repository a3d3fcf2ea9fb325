package org.lemmata.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.bench.Checkout;
import org.lemmata.file.MalformedFileException;

class RunRecordTest {

    private static final MachineIdentity MACHINE = new MachineIdentity(
            "Example CPU \"9\"",
            2,
            24L << 30,
            "Linux 6 amd64",
            "Vendor 25.0.3+9",
            List.of("-Xmx2g", "-XX:UseAVX=2"),
            "256 bits",
            "performance");

    private static final RunRecord RECORD = new RunRecord(
            "ad553f9-dirty", Instant.parse("2026-11-20T12:34:56Z"), List.of(7L, Long.MIN_VALUE), MACHINE, null);

    @TempDir
    private Path directory;

    @Test
    void readsBackWhatItWrote() throws Exception {
        Path file = directory.resolve("made/latest.run.json");
        RECORD.write(file);
        assertThat(RunRecord.read(file)).isEqualTo(RECORD);

        RunRecord session = RECORD.withSession(new BenchmarkSession(
                "3f",
                "B",
                "the working tree (ad553f9)",
                "itself",
                "0a1b",
                3,
                List.of(new ForkRun(
                        "a.B.c n=1",
                        3,
                        Instant.parse("2026-11-20T12:34:57.125Z"),
                        1.75,
                        0.5,
                        Double.NaN,
                        List.of(new ForkRun.Span(1e9, 1e9 + 50_000.125, 0.5, 1), new ForkRun.Span(2e9, 3e9, 0, -1)))),
                "cut by --limit-minutes after 2 of 4 forks",
                List.of(new BenchmarkSession.Unmeasured(
                        "a.B.d", new TreeMap<>(Map.of("n", "1")), ComparisonRow.Change.GONE, "why")),
                Map.of()));
        assertThat(session.time()).as("that of the first fork").isEqualTo(Instant.parse("2026-11-20T12:34:57Z"));
        session.write(file);
        assertThat(RunRecord.read(file)).isEqualTo(session);
    }

    @Test
    void liesBesideTheResults() {
        assertThat(RunRecord.beside(Path.of("jmh-results/latest.json")))
                .isEqualTo(Path.of("jmh-results/latest.run.json"));
        assertThat(RunRecord.beside(Path.of("results"))).isEqualTo(Path.of("results.run.json"));
    }

    @Test
    void environmentSaysEverythingInWords() {
        assertThat(RECORD.environment())
                .containsEntry("commit", "ad553f9-dirty")
                .containsEntry("cpu", "Example CPU \"9\"")
                .containsEntry("cores", "2")
                .containsEntry("memory", "24 GiB")
                .containsEntry("flags", "-Xmx2g -XX:UseAVX=2")
                .containsEntry("simd", "256 bits")
                .containsEntry("time", "2026-11-20T12:34:56Z")
                .containsEntry("governor", "performance")
                .containsKeys("os", "jdk")
                .hasSize(10);
    }

    @Test
    void nowRecordsTheCheckout() {
        RunRecord now = RunRecord.now(directory.getRoot(), MACHINE);
        assertThat(now.commit()).isEqualTo("unknown");
        assertThat(now.time()).isBetween(Instant.now().minusSeconds(60), Instant.now());
    }

    @Test
    void namesThePlaceOfAFault() throws Exception {
        Path file = directory.resolve("latest.run.json");
        RECORD.write(file);
        Files.writeString(file, Files.readString(file).replace("2026-11-20T12", "yesterday"));
        assertThatThrownBy(() -> RunRecord.read(file))
                .isInstanceOf(MalformedFileException.class)
                .hasMessageStartingWith(file + ": time: expected a time such as 2026-01-31T12:00:00Z, got ");
    }

    @Test
    void readsTheFirstModelNameOfCpuInfo() {
        List<String> cpuInfo = List.of(
                "processor\t: 0",
                "model\t\t: 85",
                "model name\t: Example(R)  CPU @ 2.50GHz",
                "cpu family\t: 6",
                "stepping\t: 7",
                "processor\t: 1",
                "model name\t: Another");
        assertThat(MachineIdentity.cpuModel(cpuInfo, "amd64"))
                .isEqualTo("Example(R) CPU @ 2.50GHz (family 6, model 85, stepping 7)");
        assertThat(MachineIdentity.cpuModel(List.of("model name : Arm"), "aarch64"))
                .isEqualTo("Arm");
    }

    @Test
    void fallsBackToTheArchitectureAndThenToUnknown() {
        assertThat(MachineIdentity.cpuModel(List.of("processor\t: 0", "model name\t:"), "aarch64"))
                .isEqualTo("aarch64");
        assertThat(MachineIdentity.cpuModel(List.of(), "")).isEqualTo("unknown");
    }

    @Test
    void keepsTheFlagsThatChangeSpeedAndDropsAgentsAndUserProperties() {
        assertThat(MachineIdentity.flagsThatMatter(List.of(
                        "-Xmx2g",
                        "-javaagent:agent.jar",
                        "--add-modules=jdk.incubator.vector",
                        "-Duser.secret=1",
                        "-XX:UseAVX=2",
                        "-Djdk.incubator.vector.VECTOR_ACCESS_OOB_CHECK=0")))
                .containsExactly(
                        "-Xmx2g",
                        "--add-modules=jdk.incubator.vector",
                        "-XX:UseAVX=2",
                        "-Djdk.incubator.vector.VECTOR_ACCESS_OOB_CHECK=0");
    }

    @Test
    void currentNamesThisJvm() {
        MachineIdentity identity = MachineIdentity.current("256 bits");
        assertThat(identity.simd()).isEqualTo("256 bits");
        assertThat(identity.cores()).isEqualTo(Runtime.getRuntime().availableProcessors());
        assertThat(identity.jdk()).contains(Runtime.version().toString()).contains(System.getProperty("java.vendor"));
        assertThat(identity.cpu()).isNotBlank();
        assertThat(identity.memoryBytes()).isPositive();
    }

    @Test
    void namesHeadAndSaysWhenTheTreeDiffers() throws Exception {
        git("init", "-q");
        assertThat(GitCommit.of(directory)).as("before the first commit").isEqualTo("unknown");
        Files.writeString(directory.resolve("a.txt"), "one");
        git("add", ".");
        git("commit", "-qm", "one");
        String head = git("rev-parse", "HEAD");
        assertThat(head).matches("[0-9a-f]{40,64}");
        assertThat(GitCommit.of(directory)).isEqualTo(head);

        Files.createDirectories(directory.resolve("evidence/depth"));
        Files.writeString(directory.resolve("evidence/depth/results.jsonl"), "");
        assertThat(GitCommit.of(directory.resolve("evidence"))).as("evidence").isEqualTo(head);

        Files.writeString(directory.resolve("a.txt"), "two");
        assertThat(GitCommit.of(directory)).as("a changed file").isEqualTo(head + "-dirty");
        Files.writeString(directory.resolve("a.txt"), "one");
        Files.writeString(directory.resolve("new.txt"), "");
        assertThat(GitCommit.of(directory)).as("an untracked file").isEqualTo(head + "-dirty");
    }

    @Test
    void isUnknownOutsideACheckout() {
        assertThat(GitCommit.of(Path.of(directory.getRoot().toString()))).isEqualTo("unknown");
        assertThat(GitCommit.of(directory.resolve("missing"))).isEqualTo("unknown");
    }

    /** The program of a separate process: prints why git fails in a directory. */
    public static void main(String[] args) {
        System.out.print(GitCommit.fault(Path.of(args[0]), Map.of(), "rev-parse", "--git-dir"));
    }

    @Test
    void whatKeepsGitFromReadingACheckoutIsNamed() throws Exception {
        String[] question = {"rev-parse", "--git-dir"};
        assertThat(GitCommit.fault(directory, Map.of(), question)).startsWith("; git: fatal: not a git repository");
        git("init", "-q");
        assertThat(GitCommit.fault(directory, Map.of(), question)).isEmpty();
        assertThat(GitCommit.fault(directory, Map.of("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1"), question))
                .startsWith("; git: fatal: detected dubious ownership")
                .contains("safe.directory " + directory.toRealPath());

        var withoutGit = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                RunRecordTest.class.getName(),
                directory.toString());
        withoutGit.environment().put("PATH", directory.toString());
        Process process = withoutGit.start();
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .startsWith("; git: Cannot run program \"git\"")
                .contains("No such file or directory");
        assertThat(process.waitFor()).isZero();
    }

    private String git(String... arguments) throws Exception {
        return new Checkout(directory).git(arguments);
    }
}
