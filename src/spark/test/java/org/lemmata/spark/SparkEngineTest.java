package org.lemmata.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.WriterAppender;
import org.apache.logging.log4j.core.layout.PatternLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.sweep.Sweep;
import org.lemmata.sweep.SweepDirectory;
import org.lemmata.sweep.SweepRun;
import org.lemmata.track.CellRecord;
import org.lemmata.track.CellRecord.Status;

/** The engine in one JVM. */
class SparkEngineTest {

    private static final Map<String, String> TWO = Map.of("master", "local[2]");

    static final String TRAINING = """
        trial: train
        base:
          steps: 4
          batch: 2
          curve: 1
          task: {name: dyck-words, settings: {N: 4, maxDepth: 2}}
          model: {width: 16, layers: 1, attention: {heads: 2}}
          evaluation: {every: 2}
        axes:
          optimizer.learning-rate: [1e-3, 1e-2]
        seeds: 2
        """;

    @TempDir
    private Path directory;

    @Test
    void leavesWhatTheLocalEngineDoes() throws IOException {
        Sweep sweep = Sweeps.read(directory, """
            trial: probe
            base: {parts: 2}
            axes:
              size: 1..3
              behaviour: [work, throw, refuse, recurse, stumble]
            seeds: 2
            """);
        SweepRun.Progress local = Sweeps.locally(sweep, directory.resolve("local"));
        SweepRun.Progress spark = Sweeps.onSpark(sweep, directory.resolve("spark"), TWO);

        assertThat(spark).isEqualTo(local);
        assertThat(Sweeps.results(directory.resolve("spark")))
                .hasSize(30)
                .isEqualTo(Sweeps.results(directory.resolve("local")));
        assertThat(directory.resolve("spark")).isDirectoryNotContaining("glob:**/.spark");
    }

    @Test
    void trainsToTheSameBits() throws IOException {
        Sweep sweep = Sweeps.read(directory, TRAINING);
        Sweeps.locally(sweep, directory.resolve("local"));
        Sweeps.onSpark(sweep, directory.resolve("spark"), TWO);

        assertThat(Sweeps.records(directory.resolve("spark")))
                .hasSize(4)
                .allMatch(each -> each.status() == Status.DONE);
        assertThat(Sweeps.results(directory.resolve("spark"))).isEqualTo(Sweeps.results(directory.resolve("local")));
    }

    @Test
    void bringsFilesFromExecutorsThatDoNotSeeTheDirectory() throws Exception {
        Sweep sweep = Sweeps.read(directory, TRAINING);
        Path out = directory.resolve("spark");
        onBlindSpark(sweep, out);
        Sweeps.locally(sweep, directory.resolve("local"));

        assertThat(out.resolve(".cells.lock")).doesNotExist();
        assertThat(Sweeps.results(out)).hasSize(4).isEqualTo(Sweeps.results(directory.resolve("local")));
        for (CellRecord record : Sweeps.records(out)) {
            Path cell = out.resolve("cells").resolve(record.cell());
            assertThat(cell.resolve("curve.jsonl")).isRegularFile().isNotEmptyFile();
            assertThat(cell.resolve("config.yaml"))
                    .hasSameTextualContentAs(directory
                            .resolve("local/cells")
                            .resolve(record.cell())
                            .resolve("config.yaml"));
        }
    }

    /** In executors that do not see the directory. */
    private static void onBlindSpark(Sweep sweep, Path out) throws Exception {
        Path marker = out.resolve(".spark");
        var blind = Thread.ofPlatform().start(() -> {
            try {
                // Spark takes longer than this to start its first task.
                StandaloneCluster.await("the marker", () -> Files.exists(marker));
                Files.delete(marker);
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        Sweeps.onSpark(sweep, out, TWO);
        blind.join();
        assertThat(out.resolve(".cells.lock")).as("the executors' lock").doesNotExist();
    }

    @Test
    void losesNoResultToFilesThatCannotBeBrought() throws Exception {
        Sweep sweep = Sweeps.read(directory, """
            trial: untidy
            axes: {does: [forget, nest, interrupt]}
            """);
        Path out = directory.resolve("spark");
        var warnings = new StringWriter();
        WriterAppender appender = WriterAppender.newBuilder()
                .setName("warnings")
                .setTarget(warnings)
                .setLayout(PatternLayout.newBuilder().withPattern("%m%n").build())
                .build();
        var log = (Logger) LogManager.getLogger("org.lemmata.spark.SparkCells");
        appender.start();
        log.addAppender(appender);
        try {
            onBlindSpark(sweep, out);
        } finally {
            log.removeAppender(appender);
        }

        assertThat(Sweeps.records(out)).hasSize(3).allMatch(each -> each.status() == Status.DONE);
        Map<String, String> cells = Sweeps.records(out).stream()
                .collect(Collectors.toMap(each -> each.settings().get("does"), CellRecord::cell));
        assertThat(warnings.toString().lines())
                .hasSize(2)
                .anyMatch(line ->
                        line.startsWith("cell " + cells.get("nest") + ": not brought back: checkpoints (a directory);"))
                .anyMatch(line -> line.startsWith(
                        "cell " + cells.get("forget") + ": not brought back: files (NoSuchFileException: "));
        assertThat(out.resolve("cells").resolve(cells.get("interrupt")).resolve("notes.txt"))
                .hasContent("notes");
    }

    @Test
    void runsACellAloneThatLeftNoMemoryToReportIt() throws IOException {
        Sweep sweep = Sweeps.read(directory, """
            trial: untidy
            base: {does: starve}
            axes: {times: [0, 1, 9]}
            """);
        Path out = directory.resolve("spark");
        SweepRun.Progress end = Sweeps.onSpark(sweep, out, TWO);

        assertThat(end.done()).isEqualTo(2);
        assertThat(Sweeps.records(out))
                .hasSize(3)
                .filteredOn(each -> each.status() == Status.FAILED)
                .singleElement()
                .satisfies(each -> {
                    assertThat(each.settings()).containsEntry("times", "9");
                    assertThat(each.reason()).isEqualTo("out of memory: expected enough to report how it ended");
                });
    }

    @Test
    void waitsForAnExecutorThatIsStillAtACell() throws Exception {
        Sweep sweep = Sweeps.read(directory, """
            trial: probe
            base: {parts: 1}
            axes: {size: 1..4}
            """);
        Path out = directory.resolve("spark");
        // What tells the directory of a sweep.
        Files.createDirectories(out);
        Files.writeString(out.resolve(SweepDirectory.SWEEP), sweep.yaml());
        String busy = sweep.cells().get(1).id();
        // The byte that the engine locks for this cell.
        long place = Long.parseUnsignedLong(busy, 16) >>> 1;
        try (ExecutorService driver = Executors.newSingleThreadExecutor();
                FileChannel file = FileChannel.open(
                        out.resolve(".cells.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            FileLock lock = file.lock(place, 1, false);
            Future<SweepRun.Progress> end = driver.submit(() -> Sweeps.onSpark(sweep, out, TWO));
            StandaloneCluster.await("the other cells", () -> Sweeps.count(out) == 3);
            assertThat(out.resolve("cells").resolve(busy)).doesNotExist();
            lock.release();
            assertThat(end.get().isComplete()).isTrue();
            assertThat(out.resolve("cells").resolve(busy).resolve("result.json"))
                    .exists();
        }
    }

    @Test
    void goesOnAfterAStop() throws IOException {
        Sweep sweep = Sweeps.read(directory, """
            trial: probe
            base: {parts: 500, pause: 5}
            axes: {size: 1..3}
            """);
        Path out = directory.resolve("spark");
        SweepRun.Progress stopped = Sweeps.onSpark(sweep, out, TWO, () -> hasState(out));
        assertThat(stopped.done()).isZero();
        assertThat(stopped.failed()).isZero();
        assertThat(stopped.running()).isZero();
        assertThat(hasState(out)).as("what a cell goes on from").isTrue();

        SweepRun.Progress resumed = Sweeps.onSpark(sweep, out, TWO);
        assertThat(resumed.isComplete()).isTrue();
        Sweeps.locally(sweep, directory.resolve("local"));
        assertThat(Sweeps.results(out)).isEqualTo(Sweeps.results(directory.resolve("local")));
    }

    private static boolean hasState(Path out) {
        try (Stream<Path> files = Files.walk(out)) {
            return files.anyMatch(file -> file.endsWith("state.txt"));
        } catch (IOException | UncheckedIOException e) {
            // A temporary file went while it was looked at.
            return false;
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "threads: 1 | threads=2 | --engine-option: expected master or a key that begins with spark., got"
                        + " 'threads'",
                "threads: 1 | spark.task.cpus=3 | --engine-option: spark.task.cpus: expected none, since the sweep's"
                        + " threads decide it, got 3",
                "threads: 1 | master=nonsense | --engine spark: Could not parse Master URL: 'nonsense'",
                "threads: 2 | master=local-cluster[2,1,1024] |"
                        + " --engine-option: spark.executor.cores: expected at least 2, the threads of a cell, got 1",
                "memory: 900 MiB | master=local-cluster[2,2,1024] | memory: expected at most 819 MiB, four fifths of"
                        + " an executor's heap, got 900 MiB; --engine-option spark.executor.memory=... gives more heap",
                "memory: 1 MiB | master=spark://127.0.0.1:1 | --engine-option: spark.executor.cores: expected a"
                        + " number, since the sweep states the memory of a cell, got none",
                "threads: 1 | master=spark://127.0.0.1:1 | --engine-option: master: expected a Spark master at"
                        + " spark://127.0.0.1:1, got none: Connection refused",
            })
    void refusesInOneLine(String limits, String option, String message) throws IOException {
        Sweep sweep = Sweeps.read(directory, "trial: probe\n" + limits + "\n");
        int equals = option.indexOf('=');
        Map<String, String> options = Map.of(option.substring(0, equals), option.substring(equals + 1));
        assertThatThrownBy(() -> Sweeps.onSpark(sweep, directory.resolve("spark"), options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void runsAsManyCellsAtOnceAsMemoryAllows() throws IOException {
        long half = (long) (Runtime.getRuntime().maxMemory() * 0.8 / 2) >> 20;
        assertThat(mostAtOnce(half)).isEqualTo(2);
        assertThat(mostAtOnce(half + 2)).isEqualTo(1);
    }

    private int mostAtOnce(long mebibytes) throws IOException {
        Sweep sweep = Sweeps.read(directory, """
            trial: halting
            base: {pause: 200}
            memory: %d MiB
            seeds: 6
            """.formatted(mebibytes));
        HaltingTrial.MOST_AT_ONCE.set(0);
        Sweeps.onSpark(sweep, directory.resolve("spark-" + mebibytes), Map.of("master", "local[4]"));
        return HaltingTrial.MOST_AT_ONCE.get();
    }

    @Test
    void runsACellWithMoreThreadsThanCores() throws IOException {
        Sweep sweep = Sweeps.read(directory, "trial: probe\nthreads: 3\n");
        assertThat(Sweeps.onSpark(sweep, directory.resolve("spark"), TWO).isComplete())
                .isTrue();
    }
}
