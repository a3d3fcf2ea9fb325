package org.lemmata.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.sweep.CellRun.Report.Ending;
import org.lemmata.track.CellRecord;

class LocalEngineTest {

    private static final long GIB = 1L << 30;

    @TempDir
    private Path directory;

    /** Collects the records by cell. */
    private static class Records implements SweepEngine.Listener {

        final Map<String, String> contents = new ConcurrentSkipListMap<>();
        final AtomicInteger running = new AtomicInteger();

        @Override
        public void started(Cell cell) {
            running.incrementAndGet();
        }

        @Override
        public void ended(Cell cell, CellRun.Report report) throws IOException {
            running.decrementAndGet();
            CellRecord record = report.record();
            if (record != null) {
                assertThat(contents.put(cell.id(), report.ending() + " " + ProbeTrial.content(record)))
                        .isNull();
            }
        }
    }

    private EngineJob job(List<Cell> cells, CellRun.Limits limits, String place, BooleanSupplier stop) {
        return new EngineJob(cells, limits, 0, directory.resolve(place), Map.of(), stop);
    }

    private EngineJob job(Sweep sweep, int threads, long memoryBytes) {
        return new EngineJob(
                sweep.cells(),
                new CellRun.Limits(threads, 0, Keep.RESULTS),
                memoryBytes,
                directory.resolve("out"),
                Map.of(),
                () -> false);
    }

    @ParameterizedTest
    @CsvSource({
        // cores, threads per cell, heap and memory of a cell in MiB, cells at once
        "8, 1, 1000, 0, 8",
        "8, 2, 1000, 0, 4",
        "8, 3, 1000, 0, 2",
        "8, 9, 1000, 0, 1",
        "8, 1, 1000, 100, 8",
        "8, 1, 1000, 101, 7",
        "8, 1, 1000, 400, 2",
        "8, 1, 1000, 401, 1",
        "8, 1, 1000, 800, 1",
        "1, 1, 1000, 100, 1"
    })
    void asManyRunAtOnceAsCoresAndMemoryAllow(int cores, int threads, long heap, long memory, int expected)
            throws IOException {
        EngineJob job = job(ProbeTrial.sweep(directory, ""), threads, memory << 20);
        assertThat(new LocalEngine(cores, heap << 20).atOnce(job)).isEqualTo(expected);
    }

    @Test
    void aCellThatTheHeapHasNoRoomForIsRefused() throws IOException {
        EngineJob job = job(ProbeTrial.sweep(directory, ""), 1, 801L << 20);
        var records = new Records();
        assertRefused(
                () -> new LocalEngine(8, 1000L << 20).run(job, records),
                "memory: expected at most 800 MiB, four fifths of the heap, got 801 MiB;"
                        + " LEMMATA_JAVA_OPTIONS=-Xmx... gives more heap");
        assertThat(records.contents).isEmpty();
    }

    @Test
    void optionsAreRefused() throws IOException {
        EngineJob plain = job(ProbeTrial.sweep(directory, ""), 1, 0);
        var job =
                new EngineJob(plain.cells(), plain.limits(), 0, plain.directory(), Map.of("master", "x"), plain.stop());
        assertRefused(
                () -> new LocalEngine().run(job, new Records()),
                "--engine-option: expected none with the engine local, got master");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void exactlyThatManyRunAtOnce(int cores) throws IOException {
        Sweep sweep = ProbeTrial.sweep(directory, "axes: {size: 1..12}");
        var together = new CyclicBarrier(cores);
        AtomicInteger most = new AtomicInteger();
        var records = new Records() {
            @Override
            public void started(Cell cell) {
                super.started(cell);
                most.accumulateAndGet(running.get(), Math::max);
                try {
                    // Opens only if this many cells have started and none has ended.
                    together.await(60, TimeUnit.SECONDS);
                } catch (Exception e) {
                    throw new AssertionError("fewer cells at once", e);
                }
            }
        };
        new LocalEngine(cores, GIB).run(job(sweep, 1, 0), records);
        assertThat(records.contents).hasSize(12);
        assertThat(most).hasValue(cores);
        assertThat(records.running).hasValue(0);
    }

    @Test
    void cellsStartInTheOrderOfTheJob() throws IOException {
        Sweep sweep = ProbeTrial.sweep(directory, "axes: {parts: [2, 0, 3, 1]}");
        List<Cell> order = new ArrayList<>();
        new LocalEngine(1, GIB).run(job(sweep, 1, 0), new Records() {
            @Override
            public void started(Cell cell) {
                order.add(cell);
            }
        });
        assertThat(order).isEqualTo(sweep.cells());
    }

    @Test
    void resultsDoNotDependOnThreadsOrHowManyRunAtOnce() throws IOException {
        Path file = Files.writeString(directory.resolve("train.yaml"), """
            base:
              steps: 6
              batch: 4
              task: {name: dyck-words, settings: {N: 3}}
              data: {train: 12, validation: 4, test: 4}
              model: {width: 8, layers: 1, dropout: 0.1}
              evaluation: {every: 3, completions: 4}
            axes: {model.layers: [1, 2], optimizer.learning-rate: [1e-3, 1e-2]}
            seeds: 2
            """);
        Sweep sweep = Sweep.read(file, List.of(), Sweep.FULL);
        Map<String, String> expected = new TreeMap<>();
        for (Cell cell : sweep.cells()) {
            CellRun.Report report = CellRun.run(
                    cell, ProbeTrial.LIMITS, directory.resolve("alone").resolve(cell.id()), () -> false);
            assertThat(report.ending()).isEqualTo(Ending.DONE);
            CellRecord record = report.record();
            assertThat(record).isNotNull();
            if (record != null) {
                expected.put(cell.id(), "DONE " + ProbeTrial.content(record));
            }
        }
        assertThat(expected.values().stream().distinct()).hasSize(8);
        for (int threads = 1; threads <= 2; threads++) {
            for (int atOnce = 1; atOnce <= 4; atOnce++) {
                var records = new Records();
                var limits = new CellRun.Limits(threads, 0, Keep.RESULTS);
                EngineJob job = job(sweep.cells(), limits, threads + "x" + atOnce, () -> false);
                new LocalEngine(threads * atOnce, GIB).run(job, records);
                assertThat(records.contents)
                        .as("%d cells of %d threads at once", atOnce, threads)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void aResultThatCannotBeRecordedStopsEverything() throws IOException {
        Sweep sweep = ProbeTrial.sweep(directory, "base: {parts: 100000}\naxes: {size: 1..40}");
        Sweep first = ProbeTrial.sweep(directory, "base: {parts: 1}\naxes: {size: 41..42}");
        List<Cell> cells =
                Stream.concat(first.cells().stream(), sweep.cells().stream()).toList();
        IOException full = new IOException("the disk is full");
        AtomicInteger started = new AtomicInteger();
        var records = new Records() {
            @Override
            public void started(Cell cell) {
                super.started(cell);
                started.incrementAndGet();
            }

            @Override
            public void ended(Cell cell, CellRun.Report report) throws IOException {
                super.ended(cell, report);
                if (report.ending() == Ending.DONE) {
                    throw full;
                }
            }
        };
        EngineJob job = job(cells, ProbeTrial.LIMITS, "out", () -> false);
        assertThatThrownBy(() -> new LocalEngine(3, GIB).run(job, records)).isSameAs(full);
        // Running cells stopped where they can be resumed; no other cell started.
        assertThat(started.get()).isLessThanOrEqualTo(4);
        assertThat(records.running).hasValue(0);
        assertThat(records.contents).hasSizeBetween(1, 2);
    }

    @Test
    void aListenerThatThrowsStopsEverything() throws IOException {
        Sweep sweep = ProbeTrial.sweep(directory, "axes: {size: 1..40}");
        AtomicInteger started = new AtomicInteger();
        var fault = new IllegalStateException("a fault of the program");
        assertThatThrownBy(() -> new LocalEngine(2, GIB).run(job(sweep, 1, 0), new Records() {
                    @Override
                    public void started(Cell cell) {
                        if (started.incrementAndGet() >= 3) {
                            throw fault;
                        }
                    }
                }))
                .isSameAs(fault);
        assertThat(started.get()).isLessThanOrEqualTo(4);
    }

    @Test
    void stoppedCellsGoOnAndEndWithTheSameBits() throws IOException {
        Sweep sweep = ProbeTrial.sweep(directory, "base: {parts: 30}\naxes: {size: 1..4}");
        var undisturbed = new Records();
        new LocalEngine(2, GIB).run(job(sweep.cells(), ProbeTrial.LIMITS, "un", () -> false), undisturbed);
        AtomicInteger looks = new AtomicInteger();
        var first = new Records();
        EngineJob stopping = job(sweep.cells(), ProbeTrial.LIMITS, "out", () -> looks.incrementAndGet() > 20);
        new LocalEngine(2, GIB).run(stopping, first);
        assertThat(first.contents).isEmpty();
        assertThat(first.running).hasValue(0);
        var second = new Records();
        new LocalEngine(2, GIB).run(job(sweep, 1, 0), second);
        assertThat(second.contents).isEqualTo(undisturbed.contents);
        try (Stream<Path> files = Files.walk(directory.resolve("out"))) {
            assertThat(files.filter(file -> file.endsWith(ProbeTrial.RESUMED))).hasSizeBetween(1, 2);
        }
    }

    /**
     * A cell that runs out of memory because of other cells runs again alone, even if its end could not be recorded.
     */
    @Test
    void whatWantedMemoryRunsAgainAlone() throws IOException {
        Sweep sweep = ProbeTrial.sweep(directory, "axes: {size: 1..6}");
        var records = new Records() {
            private final AtomicInteger denied = new AtomicInteger();

            @Override
            public void ended(Cell cell, CellRun.Report report) throws IOException {
                if (denied.getAndIncrement() < 3) {
                    running.decrementAndGet();
                    throw new OutOfMemoryError("as if");
                }
                super.ended(cell, report);
            }
        };
        // This kind of error would end the JVM of the tests.
        assertThatCode(() -> new LocalEngine(2, GIB).run(job(sweep, 1, 0), records))
                .doesNotThrowAnyException();
        assertThat(records.contents).hasSize(6);
    }

    /**
     * A channel closes if an interrupted thread writes to it; this would affect the next cell's files and the results.
     */
    @Test
    void aCellThatLeavesItsThreadInterruptedHarmsNoOther() throws IOException {
        Sweep sweep = ProbeTrial.sweep(directory, "axes: {behaviour: [interrupt, work], size: 1..3}");
        try (SweepDirectory out = SweepDirectory.open(directory.resolve("out"))) {
            assertThat(ProbeTrial.run(sweep, new LocalEngine(1, GIB), out).isComplete())
                    .isTrue();
        }
    }

    @Test
    void aCellThatFailsLeavesTheOthersAlone() throws IOException {
        Sweep sweep = ProbeTrial.sweep(
                directory, "axes: {behaviour: [throw, work, recurse, break, refuse, quit], size: 1..2}");
        var records = new Records();
        new LocalEngine(2, GIB).run(job(sweep, 1, 0), records);
        assertThat(records.contents).hasSize(12);
        assertThat(records.contents.values().stream().filter(each -> each.startsWith("DONE")))
                .hasSize(2);
    }
}
