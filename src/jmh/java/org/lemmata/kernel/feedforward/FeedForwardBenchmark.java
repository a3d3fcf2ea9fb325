package org.lemmata.kernel.feedforward;

import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.lemmata.benchmark.Checked;
import org.lemmata.benchmark.Gaussian;
import org.lemmata.benchmark.KernelBenchmark;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.kernel.problem.Expected;
import org.lemmata.kernel.problem.FeedForwardProblem;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * A feed-forward layer with biases and GELU, in calls per second. The secondary result {@code gigaflops} counts the
 * operations of its products: 4 rows width hidden forward, and twice as many backward. {@code maxErrorUlps} is in units
 * of 2^-23 of the sum of the absolute terms, including the terms of inner sums.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=FeedForwardBenchmark}; other sizes: add {@code -Djmh.args="-p
 * size=11200x30x120,256x1024x8192 -p threads=1,2"}. A size is rows x width x hidden. The default has a sixteenth of the
 * rows of a GPT-2-like decoder of width 30 with a batch of 16 sequences of 700 tokens.
 *
 * <p>Pitfalls: without a backward pass of the same rows between forward passes, the hidden array stays in a cache. In a
 * training step, the cache would be used for other data. A wrong kernel may be fast, so the first row, and the
 * gradients that involve some hidden elements, are compared with binary64.
 */
public class FeedForwardBenchmark extends KernelBenchmark {

    /**
     * The number of hidden elements whose gradients are checked. Checking all would take longer than the measurement.
     */
    private static final int CHECKED_ELEMENTS = 5;

    @Param("700x30x120")
    public String size = "";

    private final Checked<FeedForward> forward = new Checked<>();
    private final Checked<FeedForward> backward = new Checked<>();
    private FeedForwardProblem problem = new FeedForwardProblem(1, 1, 1);
    private int rows;
    private int width;
    private int hidden;

    @Setup
    public void prepare(BenchmarkParams params) {
        int[] sizes = sizes("size", size, "rows x width x hidden", "700x30x120");
        rows = sizes[0];
        width = sizes[1];
        hidden = sizes[2];
        problem = new FeedForwardProblem(rows, width, hidden);
        FeedForward scalar = FeedForward.scalar();
        FeedForward vector = FeedForward.vector(startWorkers());
        // Checks only the measured kernel, because the other kernel may take minutes for a large layer.
        FeedForward measured = isOnLanes(params) ? vector : scalar;
        double ulps = maxForwardUlps(problem.forward().run(measured));
        forward.set(problem.forward(), scalar, vector, ulps, ulps);
        ulps = maxBackwardUlps(problem.backward().run(measured));
        backward.set(problem.backward(), scalar, vector, ulps, ulps);
    }

    /** The maximum error of the outputs of the first row. */
    private double maxForwardUlps(float[] y) {
        Expected[] active =
                IntStream.range(0, hidden).mapToObj(j -> active(0, j)).toArray(Expected[]::new);
        double maxUlps = 0;
        for (int k = 0; k < width; k++) {
            int column = k;
            Expected output = Expected.ofSums(
                    hidden + 1,
                    j -> j == hidden
                            ? Expected.of(problem.parameters()[problem.secondBias() + column])
                            : active[j].times(secondWeight(j, column)));
            maxUlps = Math.max(maxUlps, ulps("y", y[k], output));
        }
        return maxUlps;
    }

    /**
     * The maximum error of the input gradients of the first row, and of the gradients of parameters of the last hidden
     * elements.
     */
    private double maxBackwardUlps(float[] gradients) {
        Expected[] dh = IntStream.range(0, hidden)
                .mapToObj(j -> preActivationGradient(0, j))
                .toArray(Expected[]::new);
        double maxUlps = 0;
        for (int i = 0; i < width; i++) {
            int column = i;
            Expected dx = Expected.ofSums(hidden, j -> dh[j].times(problem.parameters()[column * hidden + j]));
            maxUlps = Math.max(maxUlps, ulps("dx", gradients[problem.parameters().length + i], dx));
        }
        for (int j = Math.max(0, hidden - CHECKED_ELEMENTS); j < hidden; j++) {
            maxUlps = Math.max(maxUlps, maxUlpsAround(j, gradients));
        }
        return maxUlps;
    }

    private double maxUlpsAround(int j, float[] gradients) {
        Expected[] active =
                IntStream.range(0, rows).mapToObj(row -> active(row, j)).toArray(Expected[]::new);
        Expected[] dh = IntStream.range(0, rows)
                .mapToObj(row -> preActivationGradient(row, j))
                .toArray(Expected[]::new);
        double maxUlps = ulps("db1", gradients[problem.firstBias() + j], Expected.ofSums(rows, row -> dh[row]));
        for (int i = 0; i < width; i++) {
            int column = i;
            Expected first = Expected.ofSums(rows, row -> dh[row].times(problem.x()[row * width + column]));
            Expected second = Expected.ofSums(rows, row -> active[row].times(problem.dy()[row * width + column]));
            maxUlps = Math.max(maxUlps, ulps("dW1", gradients[i * hidden + j], first));
            maxUlps = Math.max(maxUlps, ulps("dW2", gradients[problem.secondWeights() + j * width + i], second));
        }
        return maxUlps;
    }

    private double secondWeight(int j, int k) {
        return problem.parameters()[problem.secondWeights() + j * width + k];
    }

    private Expected preActivation(int row, int j) {
        float[] parameters = problem.parameters();
        return Expected.of(
                width + 1,
                i -> i == width
                        ? parameters[problem.firstBias() + j]
                        : (double) problem.x()[row * width + i] * parameters[i * hidden + j]);
    }

    private Expected active(int row, int j) {
        Expected h = preActivation(row, j);
        return new Expected(h.value() * Gaussian.distribution(h.value()), h.size());
    }

    private Expected preActivationGradient(int row, int j) {
        double h = preActivation(row, j).value();
        Expected sum = Expected.of(width, k -> problem.dy()[row * width + k] * secondWeight(j, k));
        double passed = Gaussian.distribution(h);
        double slope = h * Gaussian.density(h);
        return new Expected(sum.value() * (passed + slope), sum.size() * (passed + Math.abs(slope)));
    }

    private double ulps(String name, float actual, Expected expected) {
        double ulps = expected.ulps(actual);
        if (!(ulps <= problem.forward().maxUlps())) {
            throw new IllegalStateException(name + " is " + actual + ", expected " + expected.value());
        }
        return ulps;
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalar(Work work, MaxError error) {
        return forward.scalar(work, error);
    }

    @Benchmark
    public float[] vector(Work work, MaxError error) {
        return forward.vector(work, error);
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalarBackward(Work work, MaxError error) {
        return backward.scalar(work, error);
    }

    @Benchmark
    public float[] vectorBackward(Work work, MaxError error) {
        return backward.vector(work, error);
    }
}
