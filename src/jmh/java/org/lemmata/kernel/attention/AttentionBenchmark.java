package org.lemmata.kernel.attention;

import java.util.concurrent.TimeUnit;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.openjdk.jmh.annotations.AuxCounters;
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
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * Causal attention forward, SIMD beside scalar: 8 heads of width 64 over 1024 tokens in sequences of equal length.
 *
 * <pre>
 * mvn -P jmh verify -Djmh.include=AttentionBenchmark
 * mvn -P jmh verify -Djmh.include=AttentionBenchmark.vector -Djmh.args="-p attention=SOFTMAX:1024 -f 5 -wi 10"
 * </pre>
 *
 * <p>Read {@code gigaflops} against the peak of the machine, not calls a second: it counts the 4 width n (n + 1) / 2
 * operations of the causal formula, not what a kernel computes beyond it, and 2 an element where attention is uniform,
 * which is bound by memory.
 *
 * <p>What goes wrong otherwise: counting the full n x n square flatters a causal kernel by two; inputs of zeros make
 * every score a tie and every exponential 1; a call that allocates its working arrays measures the garbage collector at
 * short lengths. A vector operation that C2 has not compiled yet takes a thousand times as long:
 * {@link AttentionProblem#settle} waits for that, since warm-up counts milliseconds, not calls. Both methods return the
 * outputs, so that none is dead code.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xbatch")
@Warmup(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class AttentionBenchmark {

    private static final int TOKENS = 1024;
    private static final int HEADS = 8;
    private static final int HEAD_WIDTH = 64;

    /** Binary32 stays well below it, an output of the wrong row does not. */
    private static final double MAX_ERROR = 1e-5;

    /** One row's inputs. */
    @State(Scope.Thread)
    public static class Problem {

        /** Weighting and length of a sequence. */
        @Param({"SOFTMAX:64", "SOFTMAX:256", "SOFTMAX:1024", "HARDMAX:256", "UNIFORM:256"})
        public String attention = "";

        private AttentionProblem problem = new AttentionProblem(shape(Weighting.UNIFORM), 0, 0);
        private double gigaflops;

        /** Runs what is about to be measured. */
        @Setup
        public void check(BenchmarkParams params) {
            int colon = attention.indexOf(':');
            int length = Integer.parseInt(attention, colon + 1, attention.length(), 10);
            problem = new AttentionProblem(
                    shape(Weighting.valueOf(attention.substring(0, colon))), TOKENS / length, length);
            gigaflops = problem.flops() * 1e-9;
            if (params.getBenchmark().endsWith("vector")) {
                problem.settle(new VectorAttention());
            } else {
                problem.run(new ScalarAttention());
            }
            problem.checkedError(MAX_ERROR);
        }

        private static AttentionShape shape(Weighting weighting) {
            return new AttentionShape(weighting, HEADS, HEAD_WIDTH, 0.125f);
        }
    }

    /** The work, as rates. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Work {
        public double gigaflops;
        public long tokens;

        private void add(Problem problem) {
            gigaflops += problem.gigaflops;
            tokens += problem.problem.tokens();
        }
    }

    private final Attention scalar = new ScalarAttention();
    private final Attention vector = new VectorAttention();

    @Benchmark
    public float[] scalar(Problem problem, Work work) {
        work.add(problem);
        return problem.problem.run(scalar);
    }

    @Benchmark
    public float[] vector(Problem problem, Work work) {
        work.add(problem);
        return problem.problem.run(vector);
    }
}
