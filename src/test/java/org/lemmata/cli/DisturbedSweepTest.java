package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.file.FileTree;
import org.lemmata.sweep.SweepDirectory;

/**
 * After a disturbance, a sweep prints one line and leaves no half-written file, and the same command continues it. Even
 * if it was killed with SIGKILL, it ends with the bits of an undisturbed sweep: each cell once.
 */
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
            CommandLineRun run = here(command).exits(2);
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
            CommandLineRun again = here(command).exits(2);
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

    /** Training runs of some milliseconds each, which write five checkpoints. */
    private static final String CONFIG = """
        base:
          steps: 40
          batch: 4
          curve: 5
          task: {name: dyck-words, settings: {N: 3}}
          data: {train: 20, validation: 4, test: 4}
          model: {layers: 1, dropout: 0.1}
          evaluation: {every: 10, completions: 2}
          checkpoint: {every: 8}
        axes:
          model.width: [4, 8]
          optimizer.learning-rate: 1e-4..1e-1 times 10
        seeds: 12
        """;

    private Path config;
    private Path undisturbed;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final List<String> lives = new ArrayList<>();

    @TempDir
    private Path killed;

    @BeforeEach
    void write() throws IOException {
        undisturbed = directory.resolve("undisturbed");
        config = Files.writeString(directory.resolve("grid.yaml"), CONFIG);
    }

    private CommandLineRun sweep(Path out, String... overrides) {
        return CommandLineRun.line("sweep %s --out %s %s", config, out, String.join(" ", overrides));
    }

    @Test
    @Tag("long")
    void aSweepKilledAtAnyMomentsEndsWithTheSameBits() throws Exception {
        int times = Integer.getInteger("lemmata.kills", 6);
        int cells = 16 * times;
        String seeds = "seeds=" + 2 * times;
        sweep(undisturbed, seeds).clean();
        assertThat(SweepBits.lines(undisturbed)).hasSize(cells);
        int kills = 0;
        int inTheMiddle = 0;
        while (kills < times || inTheMiddle == 0) {
            assertThat(lives).as("seed %d", seed).hasSizeLessThan(2 * times + 20);
            // The first process may be killed before it starts to work; each later one finishes some cells.
            long target = lives.isEmpty() ? 0 : SweepBits.count(killed) + 3 + random.nextInt(8);
            try (ChildJvm child =
                    ChildJvm.start(directory, List.of("sweep", config.toString(), "--out", killed.toString(), seeds))) {
                child.await(() -> SweepBits.count(killed) >= target);
                int millis = random.nextInt(lives.isEmpty() ? 1000 : 60);
                Thread.sleep(millis);
                int code = child.kill();
                lives.add(code + " at " + target + " results + " + millis + " ms: " + SweepBits.count(killed)
                        + " results");
                assertThat(code)
                        .as("%s, seed %d, %s", lives, seed, child.errorLines())
                        .isEqualTo(ChildJvm.KILLED);
                kills++;
                inTheMiddle += withCheckpoints(killed) > 0 ? 1 : 0;
            }
        }
        assertThat(SweepBits.count(killed)).as("%s, seed %d", lives, seed).isLessThan(cells);
        CommandLineRun last = sweep(killed, seeds);
        assertThat(last.code()).as("%s, seed %d, %s", last, seed, lives).isZero();
        assertSameEnd(undisturbed, cells);
        assertThat(withCheckpoints(killed)).isZero();
    }

    /** Creates by hand every state that a kill can leave. */
    @Test
    void everyStateThatAKillCanLeaveEndsWithTheSameBits() throws IOException {
        String[] six = {"axes.model.width=[8]", "axes.optimizer.learning-rate=[1e-3]", "seeds=6"};
        Path whole = directory.resolve("whole");
        Path kept = directory.resolve("kept");
        sweep(whole, six).clean();
        sweep(kept, Stream.concat(Stream.of(six), Stream.of("keep=checkpoints")).toArray(String[]::new))
                .clean();
        List<String> lines = SweepBits.lines(whole);
        List<Path> cells = new ArrayList<>();
        for (String line : lines) {
            String cell = line.substring("{\"cell\":\"".length(), "{\"cell\":\"".length() + 16);
            cells.add(killed.resolve("cells").resolve(cell));
        }
        copy(whole, killed);
        // The first cell is complete; the table was being written. The second lacks its line, the third its result.
        leftover(killed, "results.csv");
        FileTree.delete(cells.get(2).resolve("result.json"));
        leftover(cells.get(2), "result.json");
        // The fourth has only a configuration, the fifth not even that.
        FileTree.delete(cells.get(3));
        Files.createDirectories(cells.get(3));
        Files.copy(
                whole.resolve(killed.relativize(cells.get(3))).resolve("config.yaml"),
                cells.get(3).resolve("config.yaml"));
        FileTree.delete(cells.get(4));
        Files.createDirectories(cells.get(4));
        leftover(cells.get(4), "config.yaml");
        // The sixth has a checkpoint and was writing the next one; its curve is longer.
        FileTree.delete(cells.get(5));
        copy(kept.resolve(killed.relativize(cells.get(5))), cells.get(5));
        FileTree.delete(cells.get(5).resolve("result.json"));
        FileTree.delete(cells.get(5).resolve("checkpoints/checkpoint-40.safetensors"));
        assertThat(cells.get(5).resolve("checkpoints/checkpoint-32.safetensors"))
                .exists();
        leftover(cells.get(5).resolve("checkpoints"), "checkpoint-40.safetensors");
        // The line of the first is complete, the next line is cut.
        Path results = killed.resolve("results.jsonl");
        try (FileChannel channel = FileChannel.open(results, StandardOpenOption.WRITE)) {
            channel.truncate(lines.get(0).length() + 1L + lines.get(1).length() / 2);
        }
        CommandLineRun last = sweep(killed, six).clean();
        assertThat(last.out()).startsWith("sweep: 6 of 6 cells done, 2 of them before; ");
        assertSameEnd(whole, 6);
        assertThat(withCheckpoints(killed)).isZero();
        assertThat(SweepBits.lines(killed).subList(0, 2)).isEqualTo(lines.subList(0, 2));
    }

    private void assertSameEnd(Path expected, int cells) throws IOException {
        SweepBits bits = SweepBits.of(killed);
        assertThat(SweepBits.lines(killed)).as("%s, seed %d", lives, seed).hasSize(cells);
        assertThat(bits.results()).as("%s, seed %d", lives, seed).hasSize(cells);
        assertThat(bits.curves()).as("%s, seed %d", lives, seed).hasSize(cells);
        assertThat(bits).as("%s, seed %d", lives, seed).isEqualTo(SweepBits.of(expected));
    }

    private static long withCheckpoints(Path sweep) throws IOException {
        if (!Files.exists(sweep.resolve("cells"))) {
            return 0;
        }
        try (Stream<Path> cells = Files.list(sweep.resolve("cells"))) {
            return cells.filter(cell -> Files.exists(cell.resolve("checkpoints")))
                    .count();
        }
    }

    private static void leftover(Path directory, String name) throws IOException {
        Files.writeString(directory.resolve("." + name + "." + UUID.randomUUID() + ".part"), "{\"cell\":\"hal");
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file));
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }
}
