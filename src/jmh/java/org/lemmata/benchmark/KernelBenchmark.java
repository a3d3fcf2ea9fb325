package org.lemmata.benchmark;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.lemmata.kernel.thread.Workers;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * A vector kernel compared with its scalar reference, in calls per second.
 *
 * <p>{@code -Xbatch} makes calls wait for the compiler; without it, boxed vectors were measured for seconds on a busy
 * machine. Objects are aligned to 64 bytes. Otherwise the position of arrays in cache lines differs between forks, and
 * the speed of forks of the same classes differed by up to 1.5 times. Most rows of the reference have fewer iterations.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xbatch", "-XX:ObjectAlignmentInBytes=64"})
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public abstract class KernelBenchmark {

    /** Threads of the vector kernel. The scalar reference runs on one thread. */
    @Param("1")
    public int threads = 1;

    private Workers workers = Workers.caller();

    protected final Workers startWorkers() {
        workers = Workers.of(threads);
        return workers;
    }

    @TearDown
    public final void stopWorkers() {
        workers.close();
    }

    /** Whether the row to be measured runs the vector kernel. */
    public static boolean isOnLanes(BenchmarkParams params) {
        String benchmark = params.getBenchmark();
        return benchmark.substring(benchmark.lastIndexOf('.') + 1).startsWith("vector");
    }

    /** Parses sizes in the format of {@code example}, such as 64x30. */
    protected static int[] sizes(String name, String text, String meaning, String example) {
        String[] parts = text.split("x", -1);
        if (parts.length != example.split("x", -1).length) {
            throw new IllegalArgumentException(
                    name + ": expected " + meaning + " as in " + example + ", got '" + text + "'");
        }
        return Arrays.stream(parts).mapToInt(Integer::parseInt).toArray();
    }
}
