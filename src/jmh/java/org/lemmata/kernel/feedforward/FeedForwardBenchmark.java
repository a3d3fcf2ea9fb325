package org.lemmata.kernel.feedforward;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.lemmata.benchmark.Work;
import org.lemmata.kernel.activation.Activation;
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
 * A feed-forward layer with biases and GELU, calls a second; the secondary result {@code gigaflops} is the work of its
 * products, 4 rows width hidden floating-point operations forward and 8 backward, in GF/s.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=FeedForwardBenchmark}; other sizes: add {@code -Djmh.args="-p
 * size=11200x30x120,256x1024x8192 -p threads=1,2"}. A size is rows x width x hidden; the default is a sixteenth of that
 * of a GPT-2-like decoder of width 30, a batch of 16 sequences of 700.
 *
 * <p>What goes wrong if it is written otherwise: without the backward pass of the same rows before it, the forward pass
 * finds its hidden array in a cache that a training step has long used for something else. A wrong kernel may well be a
 * fast one: the first row is compared with binary64, and the gradients with those of the reference, before they get a
 * row.
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
public class FeedForwardBenchmark {

    @Param("700x30x120")
    public String size = "";

    @Param("1")
    public int threads;

    private final FeedForward scalar = FeedForward.scalar();
    private Workers workers = Workers.caller();
    private FeedForward vector = FeedForward.vector();
    private FeedForwardShape shape = new FeedForwardShape(1, 1, 1, Activation.Kind.GELU);
    private FeedForwardPlaces places = new FeedForwardPlaces(0, 0, 0, 0, 0, 0);
    private int rows;
    private int width;
    private float[] parameters = {};
    private float[] dparameters = {};
    private float[] x = {};
    private float[] y = {};
    private float[] dx = {};
    private float[] dy = {};
    private float[] hidden = {};

    @Setup
    public void prepare() {
        String[] sizes = size.split("x", -1);
        if (sizes.length != 3) {
            throw new IllegalArgumentException(
                    "size: expected rows x width x hidden as in 700x30x120, got '" + size + "'");
        }
        rows = Integer.parseInt(sizes[0]);
        width = Integer.parseInt(sizes[1]);
        int between = Integer.parseInt(sizes[2]);
        workers = Workers.of(threads);
        vector = FeedForward.vector(workers);
        shape = new FeedForwardShape(width, between, width, Activation.Kind.GELU);
        int matrix = width * between;
        places = new FeedForwardPlaces(
                0, matrix, FeedForwardPlaces.ABSENT, FeedForwardPlaces.ABSENT, matrix + between, 2 * matrix + between);
        SplittableRandom random = new SplittableRandom(1);
        parameters = random(2 * matrix + between + width, 1 / Math.sqrt(width), random);
        dparameters = new float[parameters.length];
        x = random(rows * width, 1, random);
        y = new float[x.length];
        dx = new float[x.length];
        dy = random(x.length, 1, random);
        hidden = new float[rows * between];
        forward(vector);
        checkFirstRow();
        // The scalar product of a great layer would take minutes.
        if ((double) rows * matrix < 1e8) {
            backward(vector);
            float[] gradients = dparameters.clone();
            float[] inputGradients = dx.clone();
            Arrays.fill(dparameters, 0);
            forward(scalar);
            checkFirstRow();
            backward(scalar);
            compare("gradient", gradients, dparameters);
            compare("dx", inputGradients, dx);
        }
    }

    @TearDown
    public void close() {
        workers.close();
    }

    private static float[] random(int length, double scale, SplittableRandom random) {
        float[] a = new float[length];
        for (int i = 0; i < length; i++) {
            a[i] = (float) random.nextDouble(-scale, scale);
        }
        return a;
    }

    private void checkFirstRow() {
        int between = shape.hidden();
        double[] active = new double[between];
        for (int j = 0; j < between; j++) {
            double h = parameters[places.firstBias() + j];
            for (int i = 0; i < width; i++) {
                h += (double) x[i] * parameters[i * between + j];
            }
            active[j] = h * (1 + integralOfGaussian(h / Math.sqrt(2))) / 2;
        }
        for (int k = 0; k < width; k++) {
            double exact = parameters[places.secondBias() + k];
            for (int j = 0; j < between; j++) {
                exact += active[j] * parameters[places.secondWeights() + j * width + k];
            }
            if (!(Math.abs(y[k] - exact) <= 1e-6 * between)) {
                throw new IllegalStateException("y[0][" + k + "] is " + y[k] + ", expected " + exact);
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

    private void compare(String name, float[] actual, float[] expected) {
        double scale = 0;
        for (float element : expected) {
            scale = Math.max(scale, Math.abs(element));
        }
        for (int i = 0; i < expected.length; i++) {
            if (!(Math.abs(actual[i] - expected[i]) <= 1e-4 * scale)) {
                throw new IllegalStateException(name + "[" + i + "] is " + actual[i] + ", expected " + expected[i]);
            }
        }
    }

    private float[] forward(FeedForward layer) {
        layer.forward(y, 0, width, hidden, 0, null, 0, x, 0, width, parameters, places, shape, rows);
        return y;
    }

    private float[] backward(FeedForward layer) {
        layer.backward(
                dx,
                0,
                width,
                dparameters,
                dy,
                0,
                width,
                hidden,
                0,
                null,
                0,
                x,
                0,
                width,
                parameters,
                places,
                shape,
                rows);
        return dx;
    }

    private double flops() {
        return 4.0 * rows * width * shape.hidden();
    }

    @Benchmark
    public float[] scalar(Work work) {
        work.add(flops(), 0);
        return forward(scalar);
    }

    @Benchmark
    public float[] vector(Work work) {
        work.add(flops(), 0);
        return forward(vector);
    }

    @Benchmark
    public float[] scalarBackward(Work work) {
        work.add(2 * flops(), 0);
        return backward(scalar);
    }

    @Benchmark
    public float[] vectorBackward(Work work) {
        work.add(2 * flops(), 0);
        return backward(vector);
    }
}
