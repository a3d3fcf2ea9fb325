package org.lemmata.kernel.attention;

import java.util.concurrent.TimeUnit;
import org.lemmata.number.NumberFormat;
import org.lemmata.number.Rounding;
import org.lemmata.number.ThresholdFormat;
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
 * Softmax attention under rounding, format by format: what a format costs in speed, and what in error.
 *
 * <pre>
 * mvn -P jmh verify -Djmh.include=RoundedAttentionBenchmark
 * mvn -P jmh verify -Djmh.include=RoundedAttentionBenchmark -Djmh.args="-p format=binary16,threshold(6)"
 * </pre>
 *
 * <p>The format {@code none} is {@link VectorAttention}; all others are {@link RoundedAttention} with scores, weights
 * and outputs rounded, sums in binary32. So {@code binary32} beside {@code none} tells what leaving SIMD costs, and
 * another format beside {@code binary32} what its rounding costs. {@code maxError} is the greatest distance of an
 * output to float64; it is a property of the inputs, the same in every iteration.
 *
 * <p>What goes wrong otherwise: JMH adds up events over iterations and forks, so an error that every iteration reports
 * in full comes out multiplied by their number; each one reports its share. Rounding inputs once and then computing in
 * binary32 is fast and measures nothing of what the format does to scores and weights.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xbatch")
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class RoundedAttentionBenchmark {

    private static final int LENGTH = 128;
    private static final int HEADS = 2;
    private static final int HEAD_WIDTH = 32;

    /**
     * A format of p bits may be off by so many 2^-p: scores of up to 8 and values of up to 4 are rounded to half of
     * that.
     */
    private static final double MAX_UNITS = 64;

    @Param({"none", "binary32", "bfloat16", "binary16", "threshold(10)"})
    public String format = "";

    private final AttentionProblem problem =
            new AttentionProblem(AttentionShape.softmax(HEADS, HEAD_WIDTH).withScoreScale(0.125f), 1, LENGTH);
    private Attention implementation = new VectorAttention();
    private double shareOfMaxError;

    /** The work, as a rate. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Work {
        public long tokens;
    }

    /** What the rounding does to the outputs. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Accuracy {
        public double maxError;
    }

    @Setup
    public void check(BenchmarkParams params) {
        int bits = Float.PRECISION;
        if (!format.equals("none")) {
            NumberFormat parsed = NumberFormat.parse(format);
            bits = parsed instanceof ThresholdFormat threshold ? threshold.p() : parsed.significandBits();
            implementation = new RoundedAttention(AttentionRounding.tensors(Rounding.toNearestEven(parsed)));
        }
        AttentionProblem.settle(() -> problem.forward(implementation));
        double maxError = problem.checkedError(Math.scalb(MAX_UNITS, -bits));
        shareOfMaxError = maxError / params.getMeasurement().getCount() / Math.max(1, params.getForks());
    }

    @Benchmark
    public float[] attention(Work work, Accuracy accuracy) {
        work.tokens += problem.tokens();
        accuracy.maxError = shareOfMaxError;
        return problem.forward(implementation);
    }
}
