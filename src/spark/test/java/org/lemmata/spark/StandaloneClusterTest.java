package org.lemmata.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.sweep.Sweep;
import org.lemmata.sweep.SweepRun;
import org.lemmata.track.CellRecord;
import org.lemmata.track.CellRecord.Status;

/** The engine on a cluster whose processes are killed. */
class StandaloneClusterTest {

    private static final Path HOME = Path.of("target", "spark").toAbsolutePath();

    @TempDir
    private Path directory;

    @Test
    void losesNoCellWithAnExecutorAndAWorker() throws Exception {
        Sweep sweep = Sweeps.read(directory, """
            trial: probe
            base: {parts: 5, pause: 20}
            axes: {size: 1..40}
            seeds: 5
            """);
        Path out = directory.resolve("spark");
        Path jar = TrialJar.write(directory);
        try (StandaloneCluster cluster = StandaloneCluster.start(HOME, directory);
                ExecutorService driver = Executors.newSingleThreadExecutor()) {
            Process first = cluster.addWorker(1);
            Process second = cluster.addWorker(1);
            Future<SweepRun.Progress> end = driver.submit(() -> Sweeps.onSpark(sweep, out, cluster.options(jar)));

            StandaloneCluster.await("40 results", () -> Sweeps.count(out) >= 40);
            List<ProcessHandle> killed = StandaloneCluster.executors(first);
            assertThat(killed).hasSize(1);
            killed.getFirst().destroyForcibly();
            StandaloneCluster.await(
                    "another executor",
                    () -> StandaloneCluster.executors(first).stream().anyMatch(each -> !killed.contains(each)));

            StandaloneCluster.await("100 results", () -> Sweeps.count(out) >= 100);
            List<ProcessHandle> orphans = StandaloneCluster.executors(second);
            assertThat(orphans).hasSize(1);
            second.destroyForcibly();
            orphans.getFirst().destroyForcibly();
            assertThat(Sweeps.count(out))
                    .as("results when the worker was killed")
                    .isLessThan(200);

            assertThat(end.get().isComplete()).isTrue();
        }
        Sweeps.locally(sweep, directory.resolve("local"));
        assertThat(Sweeps.results(out)).hasSize(200).isEqualTo(Sweeps.results(directory.resolve("local")));
        assertThat(Sweeps.records(out)).allMatch(each -> each.status() == Status.DONE);
    }

    @Test
    void recordsCellsThatThrowAndThoseThatTakeTheirExecutorAlong() throws Exception {
        Sweep bad = Sweeps.read(directory, """
            trial: probe
            base: {parts: 1}
            zip:
              - behaviour: [work, throw, allocate, work]
                size: [1, 2, 3, 4]
            """);
        Sweep halting = Sweeps.read(directory, """
            trial: halting
            base: {pause: 300}
            axes:
              halts: [false, true]
            seeds: 4
            where:
              - halts == false or seed == 1
            """);
        Path jar = TrialJar.write(directory);
        Path probes = directory.resolve("probes");
        Path halts = directory.resolve("halts");
        try (StandaloneCluster cluster = StandaloneCluster.start(HOME, directory)) {
            cluster.addWorker(2);
            SweepRun.Progress end = Sweeps.onSpark(bad, probes, cluster.options(jar));
            assertThat(end.done()).isEqualTo(2);
            assertThat(end.failed()).isEqualTo(2);
            assertThat(Sweeps.onSpark(halting, halts, cluster.options(jar)).failed())
                    .isEqualTo(1);
        }

        assertThat(Sweeps.records(probes).stream()
                        .filter(each -> each.status() == Status.FAILED)
                        .collect(Collectors.toMap(each -> each.settings().get("behaviour"), CellRecord::reason)))
                .hasEntrySatisfying(
                        "throw", reason -> assertThat(reason).isEqualTo("IllegalStateException: a fault; of two lines"))
                .hasEntrySatisfying(
                        "allocate", reason -> assertThat(reason).startsWith("out of memory: expected more than"))
                .hasSize(2);
        assertThat(Sweeps.records(halts)).hasSize(5);
        assertThat(Sweeps.records(halts))
                .filteredOn(each -> each.status() == Status.FAILED)
                .singleElement()
                .satisfies(each -> {
                    assertThat(each.settings()).containsEntry("halts", "true");
                    assertThat(each.reason()).isEqualTo("lost with its executor, 4 times: Command exited with code 77");
                });
    }
}
