package org.lemmata.kernel.activation;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
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
 * GB/s, to be read against the machine's bandwidth: 8 bytes an element forward, 12 backward.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=ActivationBenchmark}; others: add {@code -Djmh.args="-p
 * kind=RELU,GELU,TANH_GELU,COSINE -p length=4096,4194304 -p threads=1,2"}. The length that is the default is that of a
 * hidden matrix 11200 x 120, which no second-level cache holds.
 *
 * <p>What goes wrong if it is written otherwise: in place, the activation of an activation soon is 0 or infinite; with
 * all kinds in one fork, the compiler sees every branch. A wrong kernel may well be a fast one: the reference must
 * be near the binary64 value, and the vector form must have its bits, before they get a row.
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
        float[] expected = forward(scalar).clone();
        checkAgainstBinary64(expected);
        check(expected, forward(vector));
        expected = backward(scalar).clone();
        check(expected, backward(vector));
    }

    @TearDown
    public void close() {
        workers.close();
    }

    private void check(float[] expected, float[] actual) {
        int at = Arrays.mismatch(expected, actual);
        if (at >= 0) {
            throw new IllegalStateException(
                    kind + " of " + x[at] + " is " + actual[at] + ", expected " + expected[at]);
        }
    }

    /** Only as near as elementary means allow: |error| <= 2e-6 (1 + |x|), for erf by a series. */
    private void checkAgainstBinary64(float[] actual) {
        for (int i = 0; i < Math.min(length, 1000); i++) {
            double at = x[i];
            double exact =
                    switch (kind) {
                        case RELU -> Math.max(0, at);
                        case GELU -> at * (1 + integralOfGaussian(at / Math.sqrt(2))) / 2;
                        case TANH_GELU ->
                            at * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (at + 0.044715 * at * at * at))) / 2;
                        case COSINE -> Math.cos(at);
                    };
            if (!(Math.abs(actual[i] - exact) <= 2e-6 * (1 + Math.abs(at)))) {
                throw new IllegalStateException(kind + " of " + x[i] + " is " + actual[i] + ", expected " + exact);
            }
        }
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

    private float[] backward(Activation activation) {
        activation.backwardInto(kind, y, 0, dy, 0, x, 0, length);
        return y;
    }

    @Benchmark
    public float[] scalar(Work work) {
        work.add(0, 8.0 * length);
        return forward(scalar);
    }

    @Benchmark
    public float[] vector(Work work) {
        work.add(0, 8.0 * length);
        return forward(vector);
    }

    @Benchmark
    public float[] scalarBackward(Work work) {
        work.add(0, 12.0 * length);
        return backward(scalar);
    }

    @Benchmark
    public float[] vectorBackward(Work work) {
        work.add(0, 12.0 * length);
        return backward(vector);
    }
}
