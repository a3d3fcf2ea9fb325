package org.lemmata.kernel.feedforward;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.normalization.GainAndShift;
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
 * A feed-forward layer with biases and GELU, calls a second; the secondary result {@code gigaflops} is the work of its
 * products, 4 rows width hidden floating-point operations forward and 8 backward, in GF/s. {@code maxErrorUlps} is in
 * units of 2^-23 of the sum of the absolute terms, those of the sums within them being added up likewise.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=FeedForwardBenchmark}; other sizes: add {@code -Djmh.args="-p
 * size=11200x30x120,256x1024x8192 -p threads=1,2"}. A size is rows x width x hidden; the default is a sixteenth of that
 * of a GPT-2-like decoder of width 30, a batch of 16 sequences of 700.
 *
 * <p>What goes wrong if it is written otherwise: without the backward pass of the same rows before it, the forward pass
 * finds its hidden array in a cache that a training step has long used for something else. A wrong kernel may well be a
 * fast one: the first row, and the gradients that some hidden elements take part in, are compared with binary64.
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

    /** Binary32 stays well below, a number of the wrong place does not. */
    private static final double MAX_ULPS = 256;

    /** The gradients around all hidden elements would take longer than the measurement. */
    private static final int CHECKED_ELEMENTS = 5;

    @Param("700x30x120")
    public String size = "";

    @Param("1")
    public int threads;

    private final FeedForward scalar = FeedForward.scalar();
    private Workers workers = Workers.caller();
    private FeedForward vector = FeedForward.vector();
    private FeedForwardShape shape = new FeedForwardShape(1, 1, 1, Activation.Kind.GELU);
    private int firstBias;
    private int secondWeights;
    private int secondBias;
    private Matrix ofX = Matrix.empty();
    private Matrix ofY = Matrix.empty();
    private Matrix ofDx = Matrix.empty();
    private Matrix ofDy = Matrix.empty();
    private FeedForwardSaved saved = new FeedForwardSaved(ofX, null);
    private FeedForwardWeights weights = new FeedForwardWeights(ofX, null, GainAndShift.NONE, ofX, null);
    private FeedForwardWeights dweights = weights;
    private int rows;
    private int width;
    private float[] parameters = {};
    private float[] dparameters = {};
    private float[] x = {};
    private float[] y = {};
    private float[] dx = {};
    private float[] dy = {};
    private double forwardUlps;
    private double backwardUlps;

    @Setup
    public void prepare(BenchmarkParams params) {
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
        firstBias = matrix;
        secondWeights = matrix + between;
        secondBias = 2 * matrix + between;
        SplittableRandom random = new SplittableRandom(1);
        parameters = random(2 * matrix + between + width, 1 / Math.sqrt(width), random);
        dparameters = new float[parameters.length];
        x = random(rows * width, 1, random);
        y = new float[x.length];
        dx = new float[x.length];
        dy = random(x.length, 1, random);
        ofX = Matrix.of(x, rows, width);
        ofY = Matrix.of(y, rows, width);
        ofDx = Matrix.of(dx, rows, width);
        ofDy = Matrix.of(dy, rows, width);
        saved = new FeedForwardSaved(Matrix.of(new float[rows * between], rows, between), null);
        weights = weights(parameters);
        dweights = weights(dparameters);
        // The other one may take minutes where the layer is great.
        String benchmark = params.getBenchmark();
        boolean onLanes = benchmark.substring(benchmark.lastIndexOf('.') + 1).startsWith("vector");
        FeedForward measured = onLanes ? vector : scalar;
        forward(measured);
        forwardUlps = maxForwardUlps();
        backward(measured);
        backwardUlps = maxBackwardUlps();
    }

    private FeedForwardWeights weights(float[] array) {
        return new FeedForwardWeights(
                Matrix.of(array, width, shape.hidden()),
                Matrix.row(array, firstBias, shape.hidden()),
                GainAndShift.NONE,
                Matrix.of(array, secondWeights, shape.hidden(), width, width),
                Matrix.row(array, secondBias, width));
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

    /** Of the first row's outputs. */
    private double maxForwardUlps() {
        double[] sums = new double[width];
        double[] sizes = new double[width];
        for (int k = 0; k < width; k++) {
            sums[k] = parameters[secondBias + k];
            sizes[k] = Math.abs(sums[k]);
        }
        for (int j = 0; j < shape.hidden(); j++) {
            Exact h = preActivation(0, j);
            for (int k = 0; k < width; k++) {
                double weight = parameters[secondWeights + j * width + k];
                sums[k] += h.value * passed(h.value) * weight;
                sizes[k] += h.size * Math.abs(weight);
            }
        }
        double maxUlps = 0;
        for (int k = 0; k < width; k++) {
            maxUlps = Math.max(maxUlps, ulps("y", y[k], sums[k], sizes[k]));
        }
        return maxUlps;
    }

    /** Of the first row's input gradients, and of those of the weights and the bias around the last hidden elements. */
    private double maxBackwardUlps() {
        double maxUlps = 0;
        double[] sums = new double[width];
        double[] sizes = new double[width];
        for (int j = 0; j < shape.hidden(); j++) {
            Exact dh = preActivationGradient(0, j, preActivation(0, j).value);
            for (int i = 0; i < width; i++) {
                double weight = parameters[i * shape.hidden() + j];
                sums[i] += dh.value * weight;
                sizes[i] += dh.size * Math.abs(weight);
            }
        }
        for (int i = 0; i < width; i++) {
            maxUlps = Math.max(maxUlps, ulps("dx", dx[i], sums[i], sizes[i]));
        }
        for (int j = Math.max(0, shape.hidden() - CHECKED_ELEMENTS); j < shape.hidden(); j++) {
            maxUlps = Math.max(maxUlps, maxUlpsAround(j));
        }
        return maxUlps;
    }

    private double maxUlpsAround(int j) {
        double[] sums = new double[2 * width + 1];
        double[] sizes = new double[sums.length];
        for (int row = 0; row < rows; row++) {
            Exact h = preActivation(row, j);
            Exact dh = preActivationGradient(row, j, h.value);
            for (int i = 0; i < width; i++) {
                double in = x[row * width + i];
                double out = dy[row * width + i];
                sums[i] += in * dh.value;
                sizes[i] += Math.abs(in) * dh.size;
                sums[width + i] += h.value * passed(h.value) * out;
                sizes[width + i] += h.size * Math.abs(out);
            }
            sums[2 * width] += dh.value;
            sizes[2 * width] += dh.size;
        }
        double maxUlps = ulps("db1", dparameters[firstBias + j], sums[2 * width], sizes[2 * width]);
        for (int i = 0; i < width; i++) {
            float first = dparameters[i * shape.hidden() + j];
            float second = dparameters[secondWeights + j * width + i];
            maxUlps = Math.max(maxUlps, ulps("dW1", first, sums[i], sizes[i]));
            maxUlps = Math.max(maxUlps, ulps("dW2", second, sums[width + i], sizes[width + i]));
        }
        return maxUlps;
    }

    /** A sum in binary64, and that of its absolute terms. */
    private record Exact(double value, double size) {}

    private Exact preActivation(int row, int j) {
        double h = parameters[firstBias + j];
        double size = Math.abs(h);
        for (int i = 0; i < width; i++) {
            double term = (double) x[row * width + i] * parameters[i * shape.hidden() + j];
            h += term;
            size += Math.abs(term);
        }
        return new Exact(h, size);
    }

    private Exact preActivationGradient(int row, int j, double h) {
        double sum = 0;
        double size = 0;
        for (int k = 0; k < width; k++) {
            double term = (double) dy[row * width + k] * parameters[secondWeights + j * width + k];
            sum += term;
            size += Math.abs(term);
        }
        double density = Math.exp(-h * h / 2) / Math.sqrt(2 * Math.PI);
        return new Exact(sum * (passed(h) + h * density), size * (passed(h) + Math.abs(h) * density));
    }

    /** Phi(h): the part of h that GELU passes. */
    private static double passed(double h) {
        return (1 + integralOfGaussian(h / Math.sqrt(2))) / 2;
    }

    private static double ulps(String name, float actual, double exact, double size) {
        double ulps = Math.abs(actual - exact) / (size * 0x1p-23);
        if (!(ulps <= MAX_ULPS)) {
            throw new IllegalStateException(name + " is " + actual + ", expected " + exact);
        }
        return ulps;
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

    private float[] forward(FeedForward layer) {
        layer.forward(ofY, saved, ofX, weights, shape);
        return y;
    }

    private float[] backward(FeedForward layer) {
        layer.backward(ofDx, dweights, ofDy, saved, ofX, weights, shape);
        return dx;
    }

    private double flops() {
        return 4.0 * rows * width * shape.hidden();
    }

    /** So many numbers a row, and each parameter so many times: read, or its gradient read and written. */
    private double bytes(int numbersOfRow, int passes) {
        return 4.0 * ((double) rows * numbersOfRow + (double) passes * parameters.length);
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalar(Work work, MaxError error) {
        work.add(flops(), bytes(2 * width, 1));
        error.report(forwardUlps);
        return forward(scalar);
    }

    @Benchmark
    public float[] vector(Work work, MaxError error) {
        work.add(flops(), bytes(2 * width, 1));
        error.report(forwardUlps);
        return forward(vector);
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalarBackward(Work work, MaxError error) {
        work.add(2 * flops(), bytes(3 * width + shape.hidden(), 3));
        error.report(backwardUlps);
        return backward(scalar);
    }

    @Benchmark
    public float[] vectorBackward(Work work, MaxError error) {
        work.add(2 * flops(), bytes(3 * width + shape.hidden(), 3));
        error.report(backwardUlps);
        return backward(vector);
    }
}
