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
 * The overhead of the local engine for an empty cell, in milliseconds: its directory, configuration, result, line of
 * results.jsonl, and share of the final table. It should be below 2.
 *
 * <p>Run: {@code mvn -P jmh verify -DskipTests -Djmh.include=SweepOverheadBenchmark}. The result depends mostly on the
 * disk of the temporary directory.
 *
 * <p>Pitfalls: in a directory that is reused, only the first call runs cells. Removing the files takes about as long as
 * writing them, so it happens outside the call.
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
