package org.lemmata.kernel.attention;

import java.util.concurrent.TimeUnit;
import org.lemmata.benchmark.Checked;
import org.lemmata.benchmark.KernelBenchmark;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.kernel.problem.AttentionProblem;
import org.lemmata.kernel.problem.Workload;
import org.lemmata.kernel.thread.Workers;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * Causal attention, forward only and forward with backward. SIMD kernels are compared with scalar kernels.
 *
 * <pre>
 * mvn -P jmh verify -Djmh.include=attention.AttentionBenchmark
 * mvn -P jmh verify -Djmh.include=attention.AttentionBenchmark.vector
 *     -Djmh.args="-p attention=SOFTMAX:4x8x1024x64,SOFTMAX:16x1x700x30,SOFTMAX:1024x1x64x16 -p threads=1,2 -f 5"
 * </pre>
 *
 * <p>A parameter is weighting:batch x heads x length x head width. Compare {@code gigaflops} with the peak of the
 * machine instead of reading calls per second. It counts the 4 width n (n + 1) / 2 operations of the causal formula,
 * without additional work of the kernel. For uniform attention, which is limited by memory, it counts 2 operations per
 * element. The backward pass has 2.5 times as many operations if weights have gradients (five products instead of two).
 * For hardmax and uniform attention, it has as many as the forward pass. {@code maxErrorUlps} is the error of the
 * gradients if there are any.
 *
 * <p>Pitfalls: counting the full n x n square would double the rate of a causal kernel. With zero inputs, every score
 * is a tie and every exponential is 1. At short lengths, a call that allocates its scratch arrays measures the garbage
 * collector. A vector operation that C2 has not compiled takes up to a thousand times as long;
 * {@link AttentionCheck#settle} waits for C2, because warm-up counts milliseconds instead of calls. All methods return
 * results, so that nothing is dead code.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xbatch", "-XX:ObjectAlignmentInBytes=64"})
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class AttentionBenchmark {

    /** The kernel that a row measures, scalar or vector according to the name of the row, and its check. */
    public abstract static class Prepared {

        private final Checked<Attention> checked = new Checked<>();
        private Workers workers = Workers.caller();

        void prepare(String text, int threads, BenchmarkParams params, boolean backward) {
            boolean onLanes = KernelBenchmark.isOnLanes(params);
            AttentionProblem problem = AttentionCheck.parse(text);
            workers = Workers.of(threads);
            Attention kernel = onLanes ? new VectorAttention(workers) : new ScalarAttention();
            Workload<Attention> workload = backward ? problem.forwardAndBackward() : problem.forward();
            if (onLanes) {
                AttentionCheck.settle(() -> workload.run(kernel));
            } else {
                workload.run(kernel);
            }
            double ulps = AttentionCheck.forwardUlps(problem, problem.written());
            checked.set(workload, kernel, kernel, ulps, backward ? AttentionCheck.backwardUlps(problem) : ulps);
        }

        float[] run(Work work, MaxError error) {
            return checked.vector(work, error);
        }

        @TearDown
        public void close() {
            workers.close();
        }
    }

    @State(Scope.Thread)
    public static class Forward extends Prepared {

        @Param({"SOFTMAX:16x8x64x64", "SOFTMAX:1x8x1024x64", "HARDMAX:4x8x256x64", "UNIFORM:4x8x256x64"})
        public String attention = "";

        @Param("1")
        public int threads;

        @Setup
        public void check(BenchmarkParams params) {
            prepare(attention, threads, params, false);
        }
    }

    @State(Scope.Thread)
    public static class ForwardBackward extends Prepared {

        @Param("SOFTMAX:1x8x256x64")
        public String attention = "";

        @Param("1")
        public int threads;

        @Setup
        public void check(BenchmarkParams params) {
            prepare(attention, threads, params, true);
        }
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalar(Forward row, Work work, MaxError error) {
        return row.run(work, error);
    }

    @Benchmark
    public float[] vector(Forward row, Work work, MaxError error) {
        return row.run(work, error);
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalarForwardBackward(ForwardBackward row, Work work, MaxError error) {
        return row.run(work, error);
    }

    @Benchmark
    public float[] vectorForwardBackward(ForwardBackward row, Work work, MaxError error) {
        return row.run(work, error);
    }
}
