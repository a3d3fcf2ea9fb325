package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sweep that is killed with SIGKILL and repeated ends with the bits of an undisturbed one: each cell once. */
class KilledSweepTest {

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

    @TempDir
    private Path directory;

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
        delete(cells.get(2).resolve("result.json"));
        leftover(cells.get(2), "result.json");
        // The fourth has only a configuration, the fifth not even that.
        delete(cells.get(3));
        Files.createDirectories(cells.get(3));
        Files.copy(
                whole.resolve(killed.relativize(cells.get(3))).resolve("config.yaml"),
                cells.get(3).resolve("config.yaml"));
        delete(cells.get(4));
        Files.createDirectories(cells.get(4));
        leftover(cells.get(4), "config.yaml");
        // The sixth has a checkpoint and was writing the next one; its curve is longer.
        delete(cells.get(5));
        copy(kept.resolve(killed.relativize(cells.get(5))), cells.get(5));
        delete(cells.get(5).resolve("result.json"));
        delete(cells.get(5).resolve("checkpoints/checkpoint-40.safetensors"));
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

    private static void delete(Path path) throws IOException {
        Files.walkFileTree(path, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, IOException failure) throws IOException {
                Files.delete(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
