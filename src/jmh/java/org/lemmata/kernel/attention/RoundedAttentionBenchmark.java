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
 * The speed and the errors of softmax attention with rounding, by format, mode, site and length.
 *
 * <pre>
 * mvn -P jmh verify -DskipTests -Djmh.include=RoundedAttentionBenchmark
 * ... -Djmh.args="-p format=none,binary32,tf32,binary16,bfloat16,ocp_e5m2,ocp_e4m3,threshold(10) \
 *         -p length=64,256,1024,4096,8192"
 * ... -Djmh.args="-p format=none,bfloat16 -p mode=TiesToEven,TiesToAway,TowardZero,ToOdd,Stochastic"
 * ... -Djmh.args="-p format=none,bfloat16 -p site=tensors,everything,inputs,scores,exponentials,sums,outputs"
 * </pre>
 *
 * <p>Attention is causal and runs on one thread, with heads of width 64 (8 heads up to length 1024, otherwise 8192 /
 * length). The row with the format {@code none} runs {@link VectorAttention} and is the baseline; all other formats run
 * {@link RoundedAttention}. With {@code site=tensors}, the inputs, scores, weights, outputs and gradients are rounded;
 * with {@code everything}, every product and addition of the sums is also rounded. Other values round only one site
 * ({@code sums}: these products and additions). Rounding of the inputs is part of the measured time.
 *
 * <p>Outputs are compared with binary64 on unrounded inputs. The row has the maximum and the mean error, both absolute
 * and in ulps of the format at the output's sum of absolute terms. Errors in ulps of the output itself would be
 * unbounded near 0. {@code changedArgmax} is the share of rows whose maximum weight is at another key than in binary64;
 * a tie counts as changed. These numbers depend on the inputs and are the same in every iteration. If a result is
 * wrong, there is no row.
 *
 * <p>Pitfalls: JMH sums events over iterations and forks, so each iteration must report only its share of an error.
 * Rounding inputs once and then computing in binary32 is fast, but does not measure the effect of the format on scores
 * and weights.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xbatch", "-XX:ObjectAlignmentInBytes=64"})
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class RoundedAttentionBenchmark {

    /**
     * Maximum error in units of 2^-p for a format of p bits. Scores of up to 8 and values of up to 4 contribute half of
     * it. If every addition is rounded, each addition may add one unit.
     */
    private static final double MAX_UNITS = 64;

    @Param({"none", "binary16", "bfloat16", "ocp_e5m2", "ocp_e4m3", "threshold(10)"})
    public String format = "";

    @Param("TiesToEven")
    public String mode = "";

    @Param("tensors")
    public String site = "";

    @Param("1024")
    public int length;

    private RoundedAttentionProblem problem = new RoundedAttentionProblem(null, "", 1);
    private Accuracy share = new Accuracy();

    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Rates {
        public long tokens;
        public double gigaflops;

        private void add(int newTokens, double flops) {
            tokens += newTokens;
            gigaflops += 1e-9 * flops;
        }
    }

    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Accuracy {
        public double maxError;
        public double meanError;
        public double maxUlps;
        public double meanUlps;
        public double changedArgmax;

        private void set(Accuracy other) {
            maxError = other.maxError;
            meanError = other.meanError;
            maxUlps = other.maxUlps;
            meanUlps = other.meanUlps;
            changedArgmax = other.changedArgmax;
        }
    }

    @Setup
    public void check(BenchmarkParams params) {
        int bits = Float.PRECISION;
        if (format.equals("none")) {
            problem = new RoundedAttentionProblem(null, site, length);
        } else {
            NumberFormat parsed = NumberFormat.find(format).orElseThrow();
            bits = parsed instanceof ThresholdFormat threshold ? threshold.p() : parsed.significandBits();
            Rounding rounding = new Rounding(parsed, Rounding.Mode.parse(mode), true, false);
            problem = new RoundedAttentionProblem(rounding, site, length);
        }
        AttentionCheck.settle(() -> problem.forward());
        RoundedAttentionProblem.Errors errors = problem.errors();
        boolean sums = site.equals("sums") || site.equals("everything");
        double limit = Math.scalb(MAX_UNITS + (sums ? length : 0), -bits);
        if (!(errors.max() <= limit)) {
            throw new IllegalStateException("outputs: expected within " + limit + " of float64, got " + errors.max());
        }
        double addends = (double) params.getMeasurement().getCount() * Math.max(1, params.getForks());
        share = new Accuracy();
        share.maxError = errors.max() / addends;
        share.meanError = errors.mean() / addends;
        share.maxUlps = errors.maxUlps() / addends;
        share.meanUlps = errors.meanUlps() / addends;
        share.changedArgmax = errors.changedArgmax() / addends;
    }

    @Benchmark
    public float[] forward(Rates rates, Accuracy accuracy) {
        rates.add(problem.tokens(), problem.forwardFlops());
        accuracy.set(share);
        return problem.forward();
    }

    @Benchmark
    public float[] forwardBackward(Rates rates, Accuracy accuracy) {
        rates.add(problem.tokens(), problem.forwardFlops() + problem.backwardFlops());
        accuracy.set(share);
        return problem.forwardBackward();
    }
}
