package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.sweep.SweepDirectory;

/** After a disturbance, a sweep prints one line and leaves no half-written file, and the same command continues it. */
class DisturbedSweepTest {

    @TempDir
    private Path directory;

    private Path out() {
        return directory.resolve("out");
    }

    private List<String> command(String yaml, Path out) throws IOException {
        Path config = Files.writeString(directory.resolve("grid.yaml"), yaml);
        return List.of("sweep", config.toString(), "--out", out.toString());
    }

    private static CommandLineRun here(List<String> command) {
        return CommandLineRun.of(command.toArray(String[]::new));
    }

    /** The results of the same sweep without disturbances. */
    private SweepBits undisturbed(String yaml) throws IOException {
        Path out = directory.resolve("undisturbed");
        here(command(yaml, out)).clean();
        return SweepBits.of(out);
    }

    private List<Path> find(String name) {
        try (Stream<Path> files = Files.exists(out()) ? Files.walk(out()) : Stream.empty()) {
            return files.filter(file -> file.endsWith(name)).toList();
        } catch (UncheckedIOException | IOException e) {
            // Files are created and deleted during the walk.
            return List.of();
        }
    }

    /** Ctrl-C sends SIGINT, a system that shuts down SIGTERM. */
    @ParameterizedTest
    @ValueSource(strings = "INT")
    void aSignalEndsItAfterCheckpointsAndTheSameCommandGoesOn(String signal) throws Exception {
        String yaml = "{trial: probe, base: {parts: 60, pause: 5}, axes: {size: 1..8}}";
        List<String> command = command(yaml, out());
        // A process that a shell started in the background ignores SIGINT, and its children inherit this.
        List<String> before = List.of("env", "--default-signal=INT,TERM");
        try (ChildJvm child = ChildJvm.start(directory, before, List.of("-XX:ActiveProcessorCount=2"), command)) {
            child.await(
                    () -> find("state.txt").size() == 2 && find("result.json").size() == 2);
            child.signal(signal);
            assertThat(child.exitCode()).as("%s", child.errorLines()).isEqualTo(130);
            assertThat(withoutProgress(child.errorLines()))
                    .containsExactly("sweep: stopped; repeat the command to continue");
        }
        long done = SweepBits.count(out());
        assertThat(done).isBetween(2L, 7L);
        int begun = find("state.txt").size();
        assertThat(begun).isPositive();
        CommandLineRun last = here(command).clean();
        assertThat(last.out()).startsWith("sweep: 8 of 8 cells done, " + done + " of them before; ");
        assertThat(find("resumed.txt")).hasSize(begun);
        assertThat(SweepBits.lines(out())).hasSize(8);
        assertThat(SweepBits.of(out())).isEqualTo(undisturbed(yaml));
    }

    @Tag("long")
    @Test
    void soDoesTheOtherSignal() throws Exception {
        aSignalEndsItAfterCheckpointsAndTheSameCommandGoesOn("TERM");
    }

    @Test
    @Tag("long")
    void theSecondOfTwoSweepsInOneDirectoryIsRefused() throws Exception {
        String yaml = "{trial: probe, base: {parts: 60, pause: 5}, axes: {size: 1..8}}";
        List<String> command = command(yaml, out());
        String refusal = "lemmata: " + out() + ": expected no other sweep in this directory, got one";
        try (ChildJvm child = ChildJvm.start(directory, command)) {
            child.await(() -> !find("state.txt").isEmpty());
            for (int time = 0; time < 2; time++) {
                CommandLineRun second = here(command);
                assertThat(second.code()).isEqualTo(2);
                assertThat(second.out()).isEmpty();
                assertThat(second.errLines()).containsExactly(refusal);
            }
            assertThat(child.exitCode()).as("%s", child.errorLines()).isZero();
        }
        assertThat(SweepBits.lines(out())).hasSize(8);
        // Here this JVM holds the directory. It rejects a second sweep in this JVM and one in another JVM.
        try (SweepDirectory first = SweepDirectory.open(out())) {
            assertThat(here(command).errLines()).containsExactly(refusal);
            try (ChildJvm child = ChildJvm.start(directory, command)) {
                assertThat(child.exitCode()).isEqualTo(2);
                assertThat(child.errorLines()).containsExactly(refusal);
            }
            assertThat(first.records()).hasSize(8);
        }
        assertThat(SweepBits.of(out())).isEqualTo(undisturbed(yaml));
    }

    /** Removes lines about progress, which appear on a busy machine. */
    private static List<String> withoutProgress(List<String> lines) {
        return lines.stream()
                .filter(line -> !line.matches("sweep: \\d+ of \\d+ cells done, .* left"))
                .toList();
    }

    private static final String MANY = "{trial: probe, base: {parts: 2}, axes: {size: 1..80}}";

    /** The file of results reaches the size limit in the middle of a line. */
    @Test
    void aFileThatMayNotGrowEndsItInOneLineAndTheSameCommandGoesOn() throws Exception {
        List<String> command = command(MANY, out());
        List<String> before = List.of("bash", "-c", "ulimit -f 20; exec \"$@\"", "bash");
        try (ChildJvm child = ChildJvm.start(directory, before, List.of(), command)) {
            assertThat(child.exitCode()).as("%s", child.errorLines()).isEqualTo(2);
            assertThat(withoutProgress(child.errorLines()))
                    .containsExactly(
                            "lemmata: " + out().resolve("results.jsonl") + ": cannot be written: File too large");
        }
        assertThat(SweepBits.lines(out())).hasSizeBetween(5, 79);
        SweepBits.of(out());
        here(command).clean();
        assertThat(SweepBits.lines(out())).hasSize(80);
        assertThat(SweepBits.of(out())).isEqualTo(undisturbed(MANY));
    }

    @Test
    void aFullDiskEndsItInOneLineAndTheSameCommandGoesOn() throws Exception {
        Path disk = Files.createDirectories(directory.resolve("disk"));
        assumeTrue(isDone("mount", "-t", "tmpfs", "-o", "size=256k", "none", disk.toString()), "may mount");
        try {
            List<String> command = command(MANY, disk.resolve("out"));
            CommandLineRun run = here(command);
            assertThat(run.code()).as("%s", run).isEqualTo(2);
            assertThat(run.out()).isEmpty();
            assertThat(run.errLines().getLast()).startsWith("lemmata: " + disk).endsWith("No space left on device");
            assertThat(run.errLines().subList(0, run.errLines().size() - 1))
                    .allMatch(line ->
                            line.matches("sweep: cell [0-9a-f]{16} failed: " + disk + ".*No space left on device"));
            int lines = SweepBits.lines(disk.resolve("out")).size();
            assertThat(lines).isBetween(5, 79);
            try (Stream<Path> files = Files.walk(disk)) {
                assertThat(files.filter(file -> file.toString().endsWith(".part")))
                        .isEmpty();
            }
            // The disk is still full, so the result is again one line.
            CommandLineRun again = here(command);
            assertThat(again.code()).as("%s", again).isEqualTo(2);
            assertThat(again.errLines().getLast())
                    .startsWith("lemmata: " + disk)
                    .endsWith("No space left on device");
            assertThat(isDone("mount", "-o", "remount,size=8m", disk.toString()))
                    .isTrue();
            here(command).clean();
            SweepBits bits = SweepBits.of(disk.resolve("out"));
            assertThat(bits.results()).hasSize(80);
            assertThat(bits).isEqualTo(undisturbed(MANY));
        } finally {
            assertThat(isDone("umount", disk.toString())).isTrue();
        }
    }

    private static boolean isDone(String... command) throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            // There is no such command.
            return false;
        }
        return process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0;
    }

    @Test
    @Tag("long")
    void aCellThatRunsOutOfMemoryBesideOthersIsFoundOut() throws Exception {
        String work = "{trial: probe, base: {parts: 40}, axes: {size: 1..16}}";
        String greedy = "{trial: probe, base: {parts: 40}, axes: {size: 1..16},"
                + " zip: [{behaviour: [work, allocate, allocate], failures: [1, 2, 3]}],"
                + " where: [behaviour == work or size == 15]}";
        List<String> command = command(greedy, out());
        List<String> options = List.of("-Xmx128m", "-XX:ActiveProcessorCount=3");
        try (ChildJvm child = ChildJvm.start(directory, List.of(), options, command)) {
            assertThat(child.exitCode()).as("%s", child.errorLines()).isEqualTo(1);
            // On a busy machine, the sweep takes so long that it also prints its progress.
            assertThat(child.errorLines().stream().filter(line -> !line.contains(" cells done, ")))
                    .hasSize(2)
                    .allMatch(line ->
                            line.matches("sweep: cell [0-9a-f]{16} failed: out of memory: expected more than 1[0-9]{2}"
                                    + " MiB of heap \\(Java heap space\\)"));
        }
        List<String> failed = new ArrayList<>();
        for (String line : SweepBits.lines(out())) {
            if (!line.contains("\"status\":\"done\"")) {
                failed.add(line);
            }
        }
        assertThat(failed).hasSize(2).allMatch(line -> line.contains("\"behaviour\":\"allocate\""));
        assertThat(SweepBits.lines(out())).hasSize(18);
        SweepBits innocent = SweepBits.of(out());
        innocent.results().values().removeIf(line -> line.contains("\"behaviour\":\"allocate\""));
        // The axes differ, but the cells are the same.
        assertThat(innocent.results().values().stream().map(DisturbedSweepTest::withoutAxes))
                .containsExactlyElementsOf(undisturbed(work).results().values().stream()
                        .map(DisturbedSweepTest::withoutAxes)
                        .toList());
    }

    private static String withoutAxes(String line) {
        return line.replaceFirst("\"axes\":\\{[^}]*\\}", "");
    }
}
