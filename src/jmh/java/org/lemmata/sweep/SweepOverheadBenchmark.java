package org.lemmata.sweep;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the local engine takes for a cell that does nothing, in milliseconds: its directory, its configuration, its
 * result, a line of results.jsonl, and a share of the table at the end. To be below 2.
 *
 * <p>Run: {@code mvn -P jmh verify -DskipTests -Djmh.include=SweepOverheadBenchmark}; the disk of the temporary
 * directory decides.
 *
 * <p>What goes wrong if it is written otherwise: into one directory only the first call runs cells; and to remove the
 * files takes about as long as to write them, hence not within the call.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class SweepOverheadBenchmark {

    private static final int CELLS = 100;

    @Param({"1", "2"})
    public int cores;

    private SpinSweep sweep = SpinSweep.none();

    @Setup
    public void prepare() throws IOException {
        sweep = SpinSweep.of("seeds: " + CELLS + "\n", cores);
    }

    @Benchmark
    @OperationsPerInvocation(CELLS)
    public SweepRun.Progress emptyCells() throws IOException {
        return sweep.run();
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
