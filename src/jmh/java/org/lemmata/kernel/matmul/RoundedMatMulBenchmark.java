package org.lemmata.kernel.matmul;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.number.NumberFormat;
import org.lemmata.number.Rounding;
import org.lemmata.random.RandomStream;
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

/**
 * C = A B with rounding, in products per second, by format, mode and site. The baseline is {@code unrounded} of the
 * same run. Inputs are numbers of the format.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=RoundedMatMulBenchmark}; other formats, modes and sizes: add
 * {@code -Djmh.args="-p size=512 -p format=tf32,ocp_e4m3 -p mode=ToOdd,Stochastic"}.
 *
 * <p>{@code maxErrorUlps} is the maximum error of an element due to rounding, in units of 2^-p |A| |B| for a format
 * with p significand bits. It is the same in every iteration.
 *
 * <p>Pitfalls: large inputs overflow in small formats, and a matrix of infinities measures nothing. Before timing, each
 * product is compared with the bits of the scalar reference.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xbatch", "-XX:ObjectAlignmentInBytes=64"})
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public class RoundedMatMulBenchmark {

    public enum Site {
        TENSORS,
        EVERYTHING
    }

    @Param({"64", "256"})
    public int size;

    @Param({"binary16", "bfloat16"})
    public String format = "";

    @Param("TiesToEven")
    public String mode = "";

    @Param
    public Site site = Site.TENSORS;

    private final MatMul unrounded = new VectorMatMul(Workers.caller());
    private MatMul scalar = unrounded;
    private MatMul vector = unrounded;
    private float[] a = {};
    private float[] b = {};
    private float[] c = {};
    private Matrix ofA = Matrix.empty();
    private Matrix ofB = Matrix.empty();
    private Matrix ofC = Matrix.empty();
    private double error;

    @Setup
    public void prepare() {
        NumberFormat parsed = NumberFormat.find(format).orElseThrow();
        SplittableRandom random = new SplittableRandom(1);
        a = random(parsed, random);
        b = random(parsed, random);
        c = new float[size * size];
        ofA = Matrix.of(a, size, size);
        ofB = Matrix.of(b, size, size);
        ofC = Matrix.of(c, size, size);
        Rounding rounding = new Rounding(parsed, Rounding.Mode.parse(mode), true, false);
        MatMulRounding sites = site == Site.TENSORS
                ? new MatMulRounding(null, null, rounding)
                : new MatMulRounding(rounding, rounding, rounding);
        RandomStream stream = new RandomStream(1, 1, 1);
        scalar = new ScalarRoundedMatMul(sites, stream);
        vector = new RoundedMatMul(sites, stream, Workers.caller());
        error = maxError(parsed.significandBits());
    }

    private float[] random(NumberFormat format, SplittableRandom random) {
        Rounding toFormat = Rounding.toNearestEven(format);
        float[] x = new float[size * size];
        for (int i = 0; i < x.length; i++) {
            x[i] = toFormat.round((float) random.nextDouble(-1, 1));
        }
        return x;
    }

    private float[] multiply(MatMul matMul) {
        matMul.multiply(MatMul.Form.NN, false, ofC, ofA, ofB);
        return c;
    }

    private double maxError(int significandBits) {
        float[] expected = multiply(scalar).clone();
        multiply(vector);
        double max = 0;
        for (int at = 0; at < c.length; at++) {
            if (Float.compare(c[at], expected[at]) != 0) {
                throw new IllegalStateException(format + " " + mode + " " + site + ": c[" + at / size + "][" + at % size
                        + "] is " + c[at] + ", expected " + expected[at]);
            }
            double exact = 0;
            double absolute = 0;
            for (int l = 0; l < size; l++) {
                double product = (double) a[at / size * size + l] * b[l * size + at % size];
                exact += product;
                absolute += Math.abs(product);
            }
            max = Math.max(max, Math.abs(c[at] - exact) / Math.scalb(absolute, -significandBits));
        }
        return max;
    }

    /** Has fewer iterations, because a stochastic scalar product of 256 x 256 takes about a second. */
    @Benchmark
    @Warmup(iterations = 2, time = 400, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalar(Work work, MaxError maxError) {
        return report(multiply(scalar), work, maxError, error);
    }

    @Benchmark
    public float[] vector(Work work, MaxError maxError) {
        return report(multiply(vector), work, maxError, error);
    }

    @Benchmark
    public float[] unrounded(Work work, MaxError maxError) {
        return report(multiply(unrounded), work, maxError, 0);
    }

    private float[] report(float[] result, Work work, MaxError maxError, double error) {
        work.add(2.0 * size * size * size, 12.0 * size * size);
        maxError.report(error);
        return result;
    }
}
