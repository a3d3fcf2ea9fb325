package org.lemmata.sweep;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * 40 single-threaded cells, each 40 to 200 ms of pure computation, on two cores. Read {@code busyCores}: seconds of the
 * cells' processor time per second. At least 1.9 of 2 is expected; the engine and the disk use up to 0.1. The cells can
 * be divided evenly between two cores. Otherwise a core would be idle during the last cell, which would not be the
 * engine's fault. {@code takenCores} counts the wall-clock time of the cells instead. The difference from
 * {@code busyCores} is the time for which other programs used the cores of the cells.
 *
 * <p>Run: {@code mvn -P jmh verify -DskipTests -Djmh.include=SweepUtilizationBenchmark}, on a machine where nothing
 * else runs.
 *
 * <p>Pitfalls: by wall-clock time, a cell counts as busy even while another program has its core.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 1, time = 1, timeUnit = TimeUnit.SECONDS)
@Measurement(iterations = 3, time = 2, timeUnit = TimeUnit.SECONDS)
public class SweepUtilizationBenchmark {

    private static final int CORES = 2;

    private static final String SWEEP = """
        axes:
          rounds: [20_000_000, 40_000_000, 60_000_000, 80_000_000, 100_000_000]
        seeds: 8
        """;

    /** The time of cells, as rates. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Busy {

        /** Seconds of processor time per second. */
        public double busyCores;

        /** The sum of the cells' wall-clock seconds per second. */
        public double takenCores;

        @Setup(Level.Iteration)
        public void clear() {
            busyCores = 0;
            takenCores = 0;
        }
    }

    private SpinSweep sweep = SpinSweep.none();

    @Setup
    public void prepare() throws IOException {
        sweep = SpinSweep.of(SWEEP, CORES);
    }

    @Benchmark
    public SweepRun.Progress cellsOfOneThread(Busy busy) throws IOException {
        double busyBefore = SpinTrial.busySeconds();
        double clockBefore = SpinTrial.clockSeconds();
        SweepRun.Progress end = sweep.run();
        busy.busyCores += SpinTrial.busySeconds() - busyBefore;
        busy.takenCores += SpinTrial.clockSeconds() - clockBefore;
        return end;
    }

    @TearDown(Level.Invocation)
    public void check() throws IOException {
        sweep.checkAndRemove();
    }

    @TearDown
    public void remove() throws IOException {
        sweep.close();
    }
}
