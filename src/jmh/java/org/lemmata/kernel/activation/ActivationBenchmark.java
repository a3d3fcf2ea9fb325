package org.lemmata.kernel.activation;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
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

/**
 * An activation of an array, calls a second; the secondary result {@code gigabytes} is the arrays read and written, in
 * GB/s, to be read against the machine's bandwidth: 8 bytes an element forward, 12 backward. {@code maxErrorUlps} is in
 * units of 2^-23 of the result, and where f' is a sum, of the sum of its absolute terms.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=ActivationBenchmark}; others: add {@code -Djmh.args="-p
 * kind=RELU,GELU,TANH_GELU,COSINE -p length=4096,4194304 -p threads=1,2"}. The length that is the default is that of a
 * hidden matrix 11200 x 120, which no second-level cache holds.
 *
 * <p>What goes wrong if it is written otherwise: in place, the activation of an activation soon is 0 or infinite; with
 * all kinds in one fork, the compiler sees every branch. A wrong kernel may well be a fast one: the reference must be
 * near the binary64 value, and the vector form must have its bits, before they get a row.
 *
 * <p>{@code -Xbatch} makes calls wait for the compiler: on a busy machine, boxed vectors were measured for seconds
 * without it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xbatch")
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public class ActivationBenchmark {

    @Param("GELU")
    public Activation.Kind kind = Activation.Kind.GELU;

    @Param("1344000")
    public int length;

    @Param("1")
    public int threads;

    private final Activation scalar = new ScalarActivation();
    private Workers workers = Workers.caller();
    private Activation vector = new VectorActivation();
    private float[] x = {};
    private float[] y = {};
    private float[] dy = {};
    private double forwardUlps;
    private double backwardUlps;

    @Setup
    public void prepare() {
        workers = Workers.of(threads);
        vector = new VectorActivation(workers);
        SplittableRandom random = new SplittableRandom(1);
        x = new float[length];
        y = new float[length];
        dy = new float[length];
        for (int i = 0; i < length; i++) {
            x[i] = (float) random.nextGaussian();
            dy[i] = (float) random.nextGaussian();
        }
        // Both have the same bits, and so the same error.
        float[] expected = forward(scalar).clone();
        forwardUlps = maxErrorUlps(expected, false);
        check(expected, forward(vector));
        expected = backward(scalar).clone();
        backwardUlps = maxErrorUlps(expected, true);
        check(expected, backward(vector));
    }

    @TearDown
    public void close() {
        workers.close();
    }

    private void check(float[] expected, float[] actual) {
        int at = Arrays.mismatch(expected, actual);
        if (at >= 0) {
            throw new IllegalStateException(kind + " of " + x[at] + " is " + actual[at] + ", expected " + expected[at]);
        }
    }

    /** The maximum error of the first thousand elements; {@link Activation.Kind} promises less than the bound. */
    private double maxErrorUlps(float[] actual, boolean backward) {
        double maxUlps = 0;
        for (int i = 0; i < Math.min(length, 1000); i++) {
            double exact = backward ? dy[i] * slope(x[i]) : value(x[i]);
            double size = backward ? Math.abs(dy[i]) * sizeOfSlope(x[i]) : Math.abs(exact);
            double ulps = actual[i] == exact ? 0 : Math.abs(actual[i] - exact) / (size * 0x1p-23);
            if (!(ulps <= 8)) {
                throw new IllegalStateException(kind + (backward ? " backward" : "") + " of " + x[i] + " is "
                        + actual[i] + ", expected " + exact);
            }
            maxUlps = Math.max(maxUlps, ulps);
        }
        return maxUlps;
    }

    private double value(double at) {
        return switch (kind) {
            case RELU -> Math.max(0, at);
            case GELU, TANH_GELU -> at * share(at);
            case COSINE -> Math.cos(at);
        };
    }

    private double slope(double at) {
        return switch (kind) {
            case RELU -> at > 0 ? 1 : 0;
            case GELU, TANH_GELU -> share(at) + at * slopeOfShare(at);
            case COSINE -> -Math.sin(at);
        };
    }

    private double sizeOfSlope(double at) {
        return switch (kind) {
            case RELU, COSINE -> Math.abs(slope(at));
            case GELU, TANH_GELU -> share(at) + Math.abs(at) * slopeOfShare(at);
        };
    }

    /** What GELU passes of x: Phi(x), or (1 + tanh u(x)) / 2. */
    private double share(double at) {
        return kind == Activation.Kind.GELU
                ? (1 + integralOfGaussian(at / Math.sqrt(2))) / 2
                : (1 + Math.tanh(argument(at))) / 2;
    }

    private double slopeOfShare(double at) {
        if (kind == Activation.Kind.GELU) {
            return Math.exp(-at * at / 2) / Math.sqrt(2 * Math.PI);
        }
        double tanh = Math.tanh(argument(at));
        return (1 - tanh * tanh) / 2 * Math.sqrt(2 / Math.PI) * (1 + 3 * 0.044715 * at * at);
    }

    private static double argument(double at) {
        return Math.sqrt(2 / Math.PI) * (at + 0.044715 * at * at * at);
    }

    /** erf x = 2 x / sqrt(pi) e^(-x^2) (1 + 2 x^2 / 3 + (2 x^2)^2 / (3 * 5) + ...), all terms of one sign. */
    private static double integralOfGaussian(double x) {
        double term = 2 * x / Math.sqrt(Math.PI) * Math.exp(-x * x);
        double sum = 0;
        for (int n = 1; Math.abs(term) > 1e-18 * Math.abs(sum); n++) {
            sum += term;
            term *= 2 * x * x / (2 * n + 1);
        }
        return sum;
    }

    private float[] forward(Activation activation) {
        activation.forwardInto(kind, y, 0, x, 0, length);
        return y;
    }

    /** Of the formula, an elementary function counting as one operation. */
    private double flops(int relu, int gelu, int tanhGelu, int cosine) {
        return (double) length
                * switch (kind) {
                    case RELU -> relu;
                    case GELU -> gelu;
                    case TANH_GELU -> tanhGelu;
                    case COSINE -> cosine;
                };
    }

    private float[] backward(Activation activation) {
        activation.backwardInto(kind, y, 0, dy, 0, x, 0, length);
        return y;
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalar(Work work, MaxError error) {
        work.add(flops(1, 3, 9, 1), 8.0 * length);
        error.report(forwardUlps);
        return forward(scalar);
    }

    @Benchmark
    public float[] vector(Work work, MaxError error) {
        work.add(flops(1, 3, 9, 1), 8.0 * length);
        error.report(forwardUlps);
        return forward(vector);
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalarBackward(Work work, MaxError error) {
        work.add(flops(2, 6, 16, 2), 12.0 * length);
        error.report(backwardUlps);
        return backward(scalar);
    }

    @Benchmark
    public float[] vectorBackward(Work work, MaxError error) {
        work.add(flops(2, 6, 16, 2), 12.0 * length);
        error.report(backwardUlps);
        return backward(vector);
    }
}
