package org.lemmata.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.sweep.SweepRun.Progress;
import org.lemmata.track.CellRecord;
import org.lemmata.track.CellRecord.Status;

class SweepRunTest {

    /** How an engine treats the cells of a job. */
    @FunctionalInterface
    private interface Behaviour {
        void run(EngineJob job, SweepEngine.Listener listener) throws IOException;
    }

    private record Engine(Behaviour behaviour) implements SweepEngine {

        @Override
        public String name() {
            return "test";
        }

        @Override
        public void run(EngineJob job, SweepEngine.Listener listener) throws IOException {
            behaviour.run(job, listener);
        }
    }

    @TempDir
    private Path directory;

    private final List<Progress> heard = new ArrayList<>();

    private Path out() {
        return directory.resolve("out");
    }

    private Progress run(Sweep sweep, Behaviour behaviour) throws IOException {
        try (SweepDirectory opened = SweepDirectory.open(out())) {
            return new SweepRun(sweep, new Engine(behaviour), Map.of())
                    .run(opened, () -> false, (progress, ended) -> heard.add(progress));
        }
    }

    private static CellRun.Report report(EngineJob job, Cell cell) {
        return CellRun.run(cell, job.limits(), job.directory(cell), job.stop());
    }

    private List<CellRecord> results() throws IOException {
        return CellRecord.readAll(out().resolve(SweepDirectory.RESULTS));
    }

    @Test
    void theLongestCellsComeFirst() throws IOException {
        List<String> order = new ArrayList<>();
        run(
                Probes.sweep(directory, "axes: {parts: [2, 0, 3, 1]}"),
                (job, listener) ->
                        job.cells().forEach(cell -> order.add(cell.axes().getOrDefault("parts", "none"))));
        assertThat(order).containsExactly("3", "2", "1", "0");
    }

    @Test
    void progressCountsWhatBeganAndEnded() throws IOException {
        Progress end = run(Probes.sweep(directory, "axes: {parts: 0..2}"), (job, listener) -> {
            for (Cell cell : job.cells()) {
                listener.started(cell);
            }
            for (Cell cell : job.cells()) {
                listener.ended(cell, report(job, cell));
            }
        });
        assertThat(heard).extracting(Progress::running).containsExactly(1, 2, 3, 2, 1, 0);
        assertThat(heard).extracting(Progress::done).containsExactly(0, 0, 0, 1, 2, 3);
        assertThat(heard).extracting(Progress::leftCost).containsExactly(6.0, 6.0, 6.0, 3.0, 1.0, 0.0);
        assertThat(end.isComplete()).isTrue();
        assertThat(end.doneCost()).isEqualTo(6);
    }

    @Test
    void aCellThatIsBegunAgainOrEndsAgainCountsOnce() throws IOException {
        Progress end = run(Probes.sweep(directory, "axes: {size: 1..2}"), (job, listener) -> {
            for (Cell cell : job.cells()) {
                listener.started(cell);
                listener.started(cell);
                CellRun.Report report = report(job, cell);
                listener.ended(cell, report);
                listener.ended(cell, report(job, cell));
                listener.ended(cell, CellRun.Report.INTERRUPTED);
            }
        });
        assertThat(end).isEqualTo(new Progress(2, 0, 2, 0, 0, 2, 0));
        assertThat(heard).extracting(Progress::running).doesNotContain(-1, 2);
        assertThat(results()).hasSize(2);
    }

    @Test
    void aCellThatIsInterruptedIsNeitherDoneNorFailed() throws IOException {
        Progress end = run(Probes.sweep(directory, "axes: {size: 1..2}"), (job, listener) -> {
            listener.started(job.cells().getFirst());
            listener.ended(job.cells().getFirst(), CellRun.Report.INTERRUPTED);
        });
        assertThat(end).isEqualTo(new Progress(2, 0, 0, 0, 0, 0, 2));
        assertThat(end.isComplete()).isFalse();
        assertThat(results()).isEmpty();
    }

    @Test
    void whatFailedRunsAgainAndIsDoneThen() throws IOException {
        Sweep sweep = Probes.sweep(directory, "base: {failures: 3}\naxes: {behaviour: [work, stumble]}");
        Progress first = Probes.run(sweep, out());
        assertThat(first.done()).isEqualTo(1);
        assertThat(first.failed()).isEqualTo(1);
        assertThat(results())
                .filteredOn(record -> record.status() == Status.FAILED)
                .singleElement()
                .satisfies(record -> assertThat(record.reason()).isEqualTo("stumbled 3 times"));
        Path trace = SweepDirectory.ofCell(out(), sweep.cells().getLast().id()).resolve("failure.txt");
        assertThat(trace)
                .content()
                .startsWith("java.io.IOException: stumbled 3 times")
                .contains("\tat ");
        Progress second = Probes.run(sweep, out());
        assertThat(second).isEqualTo(new Progress(2, 1, 2, 0, 0, 1, 0));
        assertThat(trace).doesNotExist();
        assertThat(results()).extracting(CellRecord::status).containsExactly(Status.DONE, Status.FAILED, Status.DONE);
        assertThat(Files.readString(out().resolve(SweepDirectory.TABLE))).doesNotContain("failed");
        assertThat(Probes.run(sweep, out()).before()).isEqualTo(2);
    }

    @Test
    void anEngineThatBreaksDownLeavesTheTableOfWhatIsDone() throws IOException {
        Sweep sweep = Probes.sweep(directory, "axes: {size: 1..3}");
        IOException breakdown = new IOException("the engine broke down");
        assertThatThrownBy(() -> run(sweep, (job, listener) -> {
                    Cell cell = job.cells().get(1);
                    listener.started(cell);
                    listener.ended(cell, report(job, cell));
                    throw breakdown;
                }))
                .isSameAs(breakdown);
        assertThat(Files.readAllLines(out().resolve(SweepDirectory.TABLE))).hasSize(2);
        Progress end = Probes.run(sweep, out());
        assertThat(end.before()).isEqualTo(1);
        assertThat(end.isComplete()).isTrue();
    }

    /** The user must see the first failure. */
    @Test
    void aTableThatFailsTooDoesNotHideTheFirstFault() throws IOException {
        Sweep sweep = Probes.sweep(directory, "axes: {size: 1..3}");
        IOException breakdown = new IOException("the engine broke down");
        assertThatThrownBy(() -> run(sweep, (job, listener) -> {
                    Files.createDirectories(out().resolve(SweepDirectory.TABLE).resolve("in the way"));
                    throw breakdown;
                }))
                .isSameAs(breakdown)
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    }

    @Test
    void whatIsLeftIsNeverNegative() throws IOException {
        // Sums of 0.1, 0.2, ... in another order differ in the last bit.
        Sweep sweep = Probes.sweep(directory, "axes: {size: 1..50}");
        List<Cell> odd = new ArrayList<>();
        for (Cell cell : sweep.cells()) {
            odd.add(new Cell(
                    cell.id(),
                    cell.trial(),
                    cell.yaml(),
                    cell.settings(),
                    cell.axes(),
                    cell.seed(),
                    0.1 * (odd.size() % 7 + 1)));
        }
        var uneven = new Sweep("probe", odd, 0, 1, 0, 0, Keep.RESULTS, sweep.yaml());
        Progress end = run(uneven, (job, listener) -> {
            for (Cell cell : job.cells().reversed()) {
                listener.started(cell);
                listener.ended(cell, report(job, cell));
            }
        });
        assertThat(heard).allMatch(progress -> progress.leftCost() >= 0);
        assertThat(end.leftCost()).isLessThan(1e-9);
    }

    @Test
    void oneCellThatRepeatsOfAnEarlierSweepIsNotRunAgain() throws IOException {
        Probes.run(Probes.sweep(directory, "axes: {size: 1..3}"), out());
        Progress end = Probes.run(Probes.sweep(directory, "axes: {size: 2..5}"), out());
        assertThat(end.before()).isEqualTo(2);
        assertThat(end.done()).isEqualTo(4);
        assertThat(results()).hasSize(5);
    }

    @Test
    void everyRecordReachesTheListenerOnce() throws IOException {
        Sweep sweep = Probes.sweep(directory, "base: {failures: 9}\naxes: {behaviour: [work, throw, stumble]}");
        List<String> reasons = new ArrayList<>();
        try (SweepDirectory opened = SweepDirectory.open(out())) {
            new SweepRun(sweep, new LocalEngine(1, 1L << 30), Map.of())
                    .run(
                            opened,
                            () -> false,
                            (progress, ended) -> ended.ifPresent(record -> reasons.add(
                                    Optional.ofNullable(record.reason()).orElse("done"))));
        }
        assertThat(reasons)
                .containsExactlyInAnyOrder("done", "IllegalStateException: a fault; of two lines", "stumbled 3 times");
    }
}
