package org.lemmata.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.sweep.CellRun.Report.Ending;
import org.lemmata.sweep.SweepEstimate.Sample;
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
                ProbeTrial.sweep(directory, "axes: {parts: [2, 0, 3, 1]}"),
                (job, listener) ->
                        job.cells().forEach(cell -> order.add(cell.axes().getOrDefault("parts", "none"))));
        assertThat(order).containsExactly("3", "2", "1", "0");
    }

    @Test
    void progressCountsWhatBeganAndEnded() throws IOException {
        Progress end = run(ProbeTrial.sweep(directory, "axes: {parts: 0..2}"), (job, listener) -> {
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
        Progress end = run(ProbeTrial.sweep(directory, "axes: {size: 1..2}"), (job, listener) -> {
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
        Progress end = run(ProbeTrial.sweep(directory, "axes: {size: 1..2}"), (job, listener) -> {
            listener.started(job.cells().getFirst());
            listener.ended(job.cells().getFirst(), CellRun.Report.INTERRUPTED);
        });
        assertThat(end).isEqualTo(new Progress(2, 0, 0, 0, 0, 0, 2));
        assertThat(end.isComplete()).isFalse();
        assertThat(results()).isEmpty();
    }

    @Test
    void whatFailedRunsAgainAndIsDoneThen() throws IOException {
        Sweep sweep = ProbeTrial.sweep(directory, "base: {failures: 3}\naxes: {behaviour: [work, stumble]}");
        Progress first = ProbeTrial.run(sweep, out());
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
        Progress second = ProbeTrial.run(sweep, out());
        assertThat(second).isEqualTo(new Progress(2, 1, 2, 0, 0, 1, 0));
        assertThat(trace).doesNotExist();
        assertThat(results()).extracting(CellRecord::status).containsExactly(Status.DONE, Status.FAILED, Status.DONE);
        assertThat(Files.readString(out().resolve(SweepDirectory.TABLE))).doesNotContain("failed");
        assertThat(ProbeTrial.run(sweep, out()).before()).isEqualTo(2);
    }

    @Test
    void anEngineThatBreaksDownLeavesTheTableOfWhatIsDone() throws IOException {
        Sweep sweep = ProbeTrial.sweep(directory, "axes: {size: 1..3}");
        IOException breakdown = new IOException("the engine broke down");
        assertThatThrownBy(() -> run(sweep, (job, listener) -> {
                    Cell cell = job.cells().get(1);
                    listener.started(cell);
                    listener.ended(cell, report(job, cell));
                    throw breakdown;
                }))
                .isSameAs(breakdown);
        assertThat(Files.readAllLines(out().resolve(SweepDirectory.TABLE))).hasSize(2);
        Progress end = ProbeTrial.run(sweep, out());
        assertThat(end.before()).isEqualTo(1);
        assertThat(end.isComplete()).isTrue();
    }

    /** The user must see the first failure. */
    @Test
    void aTableThatFailsTooDoesNotHideTheFirstFault() throws IOException {
        Sweep sweep = ProbeTrial.sweep(directory, "axes: {size: 1..3}");
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
        Sweep sweep = ProbeTrial.sweep(directory, "axes: {size: 1..50}");
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
        ProbeTrial.run(ProbeTrial.sweep(directory, "axes: {size: 1..3}"), out());
        Progress end = ProbeTrial.run(ProbeTrial.sweep(directory, "axes: {size: 2..5}"), out());
        assertThat(end.before()).isEqualTo(2);
        assertThat(end.done()).isEqualTo(4);
        assertThat(results()).hasSize(5);
    }

    @Test
    void everyRecordReachesTheListenerOnce() throws IOException {
        Sweep sweep = ProbeTrial.sweep(directory, "base: {failures: 9}\naxes: {behaviour: [work, throw, stumble]}");
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

    private CellRun.Report run(String settings) throws IOException {
        return CellRun.run(ProbeTrial.cell(directory, settings), ProbeTrial.LIMITS, cell(), () -> false);
    }

    private Path cell() {
        return directory.resolve("cell");
    }

    private static CellRecord record(CellRun.Report report) {
        return Optional.ofNullable(report.record()).orElseThrow();
    }

    @Test
    void aResultHasItsSettingsAndWhereItRan() throws IOException {
        Cell cell = ProbeTrial.cell(directory, "parts: 3, seed: 9");
        CellRun.Report report = CellRun.run(cell, ProbeTrial.LIMITS, cell(), () -> false);
        assertThat(report.ending()).isEqualTo(Ending.DONE);
        assertThat(report.trace()).isNull();
        CellRecord record = record(report);
        assertThat(record.cell()).isEqualTo(cell.id());
        assertThat(record.seed()).isEqualTo(9);
        assertThat(record.settings()).isEqualTo(cell.settings());
        assertThat(record.status()).isEqualTo(Status.DONE);
        assertThat(record.measurement("value")).isPresent();
        assertThat(record.run().attempts()).isEqualTo(1);
        assertThat(record.run().environment()).containsKeys("time", "commit");
        assertThat(cell().resolve(CellRun.CONFIG)).hasContent(cell.yaml());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        throw| IllegalStateException: a fault; of two lines
        refuse| size: expected another one
        recurse| StackOverflowError
        break| InternalError: broken
        quit| InterruptedTrialException: stopped; can be resumed
        """)
    void whateverItThrowsIsAFailureWithAReasonInOneLine(String behaviour, String expected) throws IOException {
        CellRun.Report report = run("behaviour: " + behaviour);
        assertThat(report.ending()).isEqualTo(Ending.FAILED);
        assertThat(record(report).status()).isEqualTo(Status.FAILED);
        assertThat(record(report).reason()).isEqualTo(expected);
        assertThat(record(report).measurements()).isEmpty();
        assertThat(record(report).run().attempts()).isEqualTo(1);
        assertThat(report.trace()).contains("\tat ");
    }

    @Test
    void aFailureOfFilesIsTriedAgain() throws IOException {
        CellRun.Report report = run("behaviour: stumble, failures: 2");
        assertThat(report.ending()).isEqualTo(Ending.DONE);
        assertThat(record(report).run().attempts()).isEqualTo(3);
        assertThat(record(report).measurements()).isNotEmpty();
    }

    @Test
    void afterTheLastRetryItHasFailed() throws IOException {
        CellRun.Report report = run("behaviour: stumble, failures: 3");
        assertThat(report.ending()).isEqualTo(Ending.FAILED);
        assertThat(record(report).reason()).isEqualTo("stumbled 3 times");
        assertThat(record(report).run().attempts()).isEqualTo(3);
    }

    @Test
    void aFileThatCannotBeWrittenIsNamed() throws IOException {
        Files.writeString(directory.resolve("file"), "no directory");
        Path below = directory.resolve("file/cell");
        CellRun.Report report = CellRun.run(ProbeTrial.cell(directory, ""), ProbeTrial.LIMITS, below, () -> false);
        assertThat(report.ending()).isEqualTo(Ending.FAILED);
        assertThat(record(report).reason()).startsWith(directory.resolve("file").toString());
    }

    @Test
    void oneThatIsStoppedGoesOnWhereItWas() throws IOException {
        Cell cell = ProbeTrial.cell(directory, "parts: 6");
        AtomicInteger looks = new AtomicInteger();
        CellRun.Report first = CellRun.run(cell, ProbeTrial.LIMITS, cell(), () -> looks.getAndIncrement() >= 4);
        assertThat(first).isEqualTo(CellRun.Report.INTERRUPTED);
        CellRun.Report second = CellRun.run(cell, ProbeTrial.LIMITS, cell(), () -> false);
        assertThat(cell().resolve(ProbeTrial.RESUMED)).hasContent("4");
        CellRun.Report undisturbed = CellRun.run(cell, ProbeTrial.LIMITS, directory.resolve("other"), () -> false);
        assertThat(ProbeTrial.content(record(second))).isEqualTo(ProbeTrial.content(record(undisturbed)));
    }

    @Test
    void whatAKilledProcessWasWritingIsCleared() throws IOException {
        Files.createDirectories(cell());
        for (String name :
                new String[] {"result.json", "config.yaml", "state.txt", "weights.safetensors", "failure.txt"}) {
            Files.writeString(cell().resolve("." + name + "." + UUID.randomUUID() + ".part"), "half");
        }
        Files.writeString(cell().resolve(".of-somebody-else.part"), "whole");
        run("");
        try (Stream<Path> files = Files.list(cell())) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(CellRun.CONFIG, ".of-somebody-else.part");
        }
    }

    private static final String TRAINING = """
        base:
          steps: 3
          batch: 2
          task: {name: dyck-words, settings: {N: 2}}
          data: {validation: 2, test: 0}
          model.layers: 1
        axes:
          model.width: [2, 4, 8, 64]
          optimizer.learning-rate: [1e-3, 1e-2]
        seeds: 2
        """;

    private static Cell cell(String name, double cost) {
        var settings = new LinkedHashMap<>(Map.of("name", name));
        return Cell.of("none", "", settings, new LinkedHashMap<>(), 1, cost);
    }

    private static SweepEstimate estimate(List<Cell> cells, Map<String, Double> stepCosts) {
        return SweepEstimate.of(
                cells,
                stepCosts,
                List.of(
                        new Sample(cell("a", 1), 1e6, new TrialSpeed(1e9, 1, 1.25, 1)),
                        new Sample(cell("b", 1), 1e8, new TrialSpeed(4e9, 3, 1.5, 0.5)),
                        new Sample(cell("c", 1), 1e9, new TrialSpeed(2e9, 5, 1, 0.9))),
                2);
    }

    private static double seconds(double cost, double stepCost) {
        Cell cell = cell("it", cost);
        return estimate(List.of(cell), Map.of(cell.id(), stepCost)).cellSeconds(List.of(cell));
    }

    @Test
    void speedsLieOnTheLineBetweenSamplesOverLogarithms() {
        assertThat(seconds(8e9, 1e6)).isEqualTo(1 + 8);
        assertThat(seconds(8e9, 1e8)).isEqualTo(3 + 2);
        assertThat(seconds(8e9, 1e9)).isEqualTo(5 + 4);
        assertThat(seconds(8e9, 1e7)).isCloseTo(2 + 4, within(1e-9));
        assertThat(seconds(8e9, Math.sqrt(1e17))).isCloseTo(4 + 8 / Math.sqrt(8), within(1e-9));
        assertThat(seconds(8e9, 1e3)).as("below all").isEqualTo(1 + 8);
        assertThat(seconds(8e9, 1e12)).as("above all").isEqualTo(5 + 4);
    }

    /** 1 second each before the first step: 6, 5, 4, 4 and 4 seconds. */
    @Test
    void theDearestCellsStartFirst() {
        var cells = new ArrayList<Cell>();
        var stepCosts = new LinkedHashMap<String, Double>();
        for (double seconds : new double[] {3, 4, 3, 5, 3}) {
            Cell cell = cell("cell " + cells.size(), seconds * 1e9);
            cells.add(cell);
            stepCosts.put(cell.id(), 1e6);
        }
        SweepEstimate estimate = estimate(cells, stepCosts);
        assertThat(estimate.cellSeconds(cells)).isEqualTo(23);
        assertThat(estimate.longestSeconds(cells)).isEqualTo(6);
        assertThat(estimate.wallSeconds(cells, 1)).isEqualTo(23);
        // 6 and then 4; 5, 4 and 4.
        assertThat(estimate.wallSeconds(cells, 2)).isEqualTo(13);
        assertThat(estimate.wallSeconds(cells, 5)).isEqualTo(6);
        assertThat(estimate.wallSeconds(cells, 1000)).isEqualTo(6);
        assertThat(estimate.wallSeconds(List.of(), 2)).isZero();
        assertThat(estimate.spread()).isEqualTo(1.25);
        assertThat(estimate.share()).isCloseTo(0.8, within(1e-12));
        assertThat(estimate.longestSeconds(List.of())).isZero();
    }

    /** A cell of 2 seconds has a spread of 1.25, one of 18 seconds has none: (2 * 1.25 + 18) / 20. */
    @Test
    void cellsThatTakeLittleSpreadLittle() {
        Cell cheap = cell("cheap", 1e9);
        Cell dear = cell("dear", 26e9);
        assertThat(estimate(List.of(cheap, dear), Map.of(cheap.id(), 1e6, dear.id(), 1e9))
                        .spread())
                .isCloseTo(1.025, within(1e-12));
    }

    /** The share of a processor's time: with three other threads per core, it is a quarter. */
    @Test
    void otherWorkIsToldAndNotCounted() throws IOException {
        Sweep sweep = Sweep.parse("test", TRAINING, List.of("axes.model.width=[64]", "seeds=1"), Sweep.FULL);
        var stop = new AtomicBoolean();
        List<Thread> others = IntStream.range(0, 3 * Runtime.getRuntime().availableProcessors())
                .mapToObj(i -> Thread.ofPlatform().start(() -> {
                    while (!stop.get()) {
                        Thread.onSpinWait();
                    }
                }))
                .toList();
        try {
            SweepEstimate estimate =
                    SweepEstimate.measure(sweep, Duration.ofMillis(300)).orElseThrow();
            assertThat(others).hasSizeGreaterThanOrEqualTo(3);
            assertThat(estimate.share()).isBetween(0.0, 0.8);
        } finally {
            stop.set(true);
        }
    }

    @Test
    void measuresTheCheapestTheDearestAndAMiddleStep() throws IOException {
        Sweep sweep = Sweep.parse("test", TRAINING, List.of(), Sweep.FULL);
        SweepEstimate estimate =
                SweepEstimate.measure(sweep, Duration.ofMillis(60)).orElseThrow();
        assertThat(estimate.samples())
                .extracting(sample -> sample.cell().axes().get("model.width"))
                .containsExactly("2", "8", "64");
        assertThat(estimate.samples()).extracting(Sample::stepCost).isSorted().doesNotHaveDuplicates();
        assertThat(estimate.samples()).allSatisfy(sample -> {
            assertThat(sample.speed().perSecond()).isPositive().isFinite();
            assertThat(sample.speed().startSeconds()).isPositive();
            assertThat(sample.speed().spread()).isGreaterThan(1).isFinite();
        });
        assertThat(estimate.seconds())
                .hasSize(16)
                .allSatisfy((id, seconds) -> assertThat(seconds).isPositive());
    }

    @Test
    void oneShapeIsMeasuredOnce() throws IOException {
        Sweep sweep = Sweep.parse("test", TRAINING, List.of("axes.model.width=[4]"), Sweep.FULL);
        assertThat(SweepEstimate.measure(sweep, Duration.ofMillis(20))
                        .orElseThrow()
                        .samples())
                .hasSize(1);
    }

    @Test
    void aTrialMayNotTell() throws IOException {
        Sweep sweep = Sweep.parse("test", "trial: probe\nseeds: 3\n", List.of(), Sweep.FULL);
        assertThat(SweepEstimate.measure(sweep, Duration.ofMillis(20))).isEmpty();
    }
}
