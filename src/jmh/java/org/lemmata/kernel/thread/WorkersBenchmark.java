package org.lemmata.kernel.thread;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A call of {@value #CHUNKS} equal chunks of pure arithmetic, which together take {@code micros} microseconds on one
 * thread, in calls per second. It is compared with pools of the JDK with the same number of threads. The secondary
 * result {@code speedup} is the work per second, in seconds of one thread. The overhead of a call is 1 / score - micros
 * / threads.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=WorkersBenchmark}; other sizes: add {@code -Djmh.args="-p
 * micros=5,20,100,1000 -p threads=1,2"}; to let helpers sleep before each call: {@code -p pauseMicros=300}.
 *
 * <p>Pitfalls: chunks that use memory or several execution units would measure these shared resources; a chain of
 * dependent operations does not. The time of one thread is measured in the same JVM, because clock rates vary. If
 * another process keeps a processor busy, helpers wait for it, which affects every row.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xbatch", "-XX:ObjectAlignmentInBytes=64"})
@Warmup(iterations = 3, time = 100, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 100, timeUnit = TimeUnit.MILLISECONDS)
public class WorkersBenchmark {

    private static final int CHUNKS = 4;

    /** Two cache lines, in floats, so that the results of two chunks never share a cache line. */
    private static final int APART = 32;

    @Param({"20", "100"})
    public int micros;

    @Param("2")
    public int threads;

    /** The time for which the caller does other work before each call. It is not measured. */
    @Param("0")
    public int pauseMicros;

    private final float[] results = new float[CHUNKS * APART];
    private final Workers.Chunks chunks = this::chunk;
    private final List<Callable<Integer>> tasks =
            IntStream.range(0, CHUNKS).mapToObj(this::task).toList();
    private int steps;
    private Workers workers = Workers.caller();
    private ExecutorService forkJoin = ForkJoinPool.commonPool();
    private ExecutorService fixed = forkJoin;

    /** The work. JMH divides it by the time. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Gain {

        /** Seconds of work of one thread. */
        public double speedup;

        @Setup(Level.Iteration)
        public void clear() {
            speedup = 0;
        }
    }

    @Setup
    public void prepare() {
        int sample = 100_000;
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 100; i++) {
            long start = System.nanoTime();
            results[0] = chain(sample, results[0]);
            best = Math.min(best, System.nanoTime() - start);
        }
        steps = (int) (1000.0 * micros / CHUNKS * sample / best);
        workers = Workers.of(threads);
        forkJoin = new ForkJoinPool(threads);
        fixed = Executors.newFixedThreadPool(threads);
    }

    @TearDown
    public void end() {
        workers.close();
        forkJoin.close();
        fixed.close();
    }

    @Setup(Level.Invocation)
    public void pause() {
        if (pauseMicros > 0) {
            long start = System.nanoTime();
            while (System.nanoTime() - start < 1000L * pauseMicros) {
                Thread.onSpinWait();
            }
        }
    }

    private static float chain(int steps, float start) {
        float x = start;
        for (int i = 0; i < steps; i++) {
            x = Math.fma(x, 0.999f, 0.5f);
        }
        return x;
    }

    private void chunk(int chunk) {
        results[chunk * APART] = chain(steps, results[chunk * APART]);
    }

    private Callable<Integer> task(int chunk) {
        return () -> {
            chunk(chunk);
            return chunk;
        };
    }

    /** A call of the kernels' own pool. */
    @Benchmark
    public float[] workers(Gain gain) {
        workers.run(CHUNKS, chunks);
        gain.speedup += 1e-6 * micros;
        return results;
    }

    @Benchmark
    public List<Future<Integer>> forkJoin(Gain gain) throws InterruptedException {
        gain.speedup += 1e-6 * micros;
        return forkJoin.invokeAll(tasks);
    }

    @Benchmark
    public List<Future<Integer>> fixedPool(Gain gain) throws InterruptedException {
        gain.speedup += 1e-6 * micros;
        return fixed.invokeAll(tasks);
    }
}
