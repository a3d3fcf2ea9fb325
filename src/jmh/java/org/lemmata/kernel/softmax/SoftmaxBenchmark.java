package org.lemmata.kernel.softmax;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.kernel.matrix.Matrix;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * Softmax of rows, forward and backward, calls a second; the secondary result {@code gigaflops} counts 5 operations an
 * element forward, an exponential as one, and 4 backward, and {@code maxErrorUlps} the maximum error found in
 * {@code @Setup}: forward in ulps of the result, backward in units of 2^-23 of the sum of the absolute terms.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=SoftmaxBenchmark}; other sizes: add {@code -Djmh.args="-p
 * columns=30,700 -p rows=4096 -p threads=1,2"}.
 *
 * <p>What goes wrong if it is written otherwise: in place, the softmax of a softmax is nearly uniform, so that every
 * call but the first would see other numbers than it claims.
 *
 * <p>{@code -Xbatch} makes calls wait for the compiler: on a busy machine, boxed vectors were measured for seconds
 * without it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xbatch")
@Warmup(iterations = 5, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public class SoftmaxBenchmark {

    @Param("1024")
    public int columns;

    @Param("1")
    public int threads;

    @Param("4")
    public int rows;

    private final Softmax scalar = new ScalarSoftmax();
    private Softmax vector = new VectorSoftmax();
    private float[] gradients = {};
    private float[] differentiated = {};
    private float[] scores = {};
    private float[] values = {};
    private Matrix ofGradients = Matrix.empty();
    private Matrix ofDifferentiated = Matrix.empty();
    private Matrix ofScores = Matrix.empty();
    private Matrix ofValues = Matrix.empty();
    private double scalarErrorUlps;
    private double vectorErrorUlps;
    private double scalarBackwardUlps;
    private double vectorBackwardUlps;

    @Setup
    public void prepare() {
        vector = new VectorSoftmax(Workers.of(threads));
        SplittableRandom random = new SplittableRandom(1);
        scores = new float[rows * columns];
        for (int i = 0; i < scores.length; i++) {
            scores[i] = (float) random.nextDouble(-8, 8);
        }
        values = new float[scores.length];
        gradients = scores.clone();
        differentiated = new float[scores.length];
        ofGradients = Matrix.of(gradients, rows, columns);
        ofDifferentiated = Matrix.of(differentiated, rows, columns);
        ofScores = Matrix.of(scores, rows, columns);
        ofValues = Matrix.of(values, rows, columns);
        scalarErrorUlps = maxErrorUlps(scalar);
        vectorErrorUlps = maxErrorUlps(vector);
        scalarBackwardUlps = maxBackwardUlps(scalar);
        vectorBackwardUlps = maxBackwardUlps(vector);
    }

    private float[] run(Softmax softmax) {
        softmax.forwardInto(ofValues, ofScores);
        return values;
    }

    /** The maximum error against binary64; a sum of n terms and an exponent of at most 16 allow n + 22 ulps. */
    private double maxErrorUlps(Softmax softmax) {
        run(softmax);
        double maxUlps = 0;
        for (int row = 0; row < rows; row++) {
            double sum = 0;
            for (int j = 0; j < columns; j++) {
                sum += Math.exp(scores[row * columns + j]);
            }
            for (int j = 0; j < columns; j++) {
                double exact = Math.exp(scores[row * columns + j]) / sum;
                double ulps = Math.abs(values[row * columns + j] - exact) / Math.ulp((float) exact);
                if (!(ulps <= columns + 22)) {
                    throw new IllegalStateException(softmax.getClass().getSimpleName() + ", row " + row + ": y[" + j
                            + "] is " + values[row * columns + j] + ", expected " + exact);
                }
                maxUlps = Math.max(maxUlps, ulps);
            }
        }
        return maxUlps;
    }

    private float[] runBackward(Softmax softmax) {
        softmax.backwardInto(ofDifferentiated, ofGradients, ofValues);
        return differentiated;
    }

    /**
     * The maximum error against binary64, in 2^-23 of y_j (|dy_j| + sum_l |dy_l| y_l). Leaves a softmax in
     * {@code values}, which backward reads and does not change.
     */
    private double maxBackwardUlps(Softmax softmax) {
        run(softmax);
        runBackward(softmax);
        double maxUlps = 0;
        for (int row = 0; row < rows; row++) {
            double inner = 0;
            double absolute = 0;
            for (int at = row * columns; at < (row + 1) * columns; at++) {
                inner += (double) gradients[at] * values[at];
                absolute += Math.abs(gradients[at]) * values[at];
            }
            for (int at = row * columns; at < (row + 1) * columns; at++) {
                double exact = values[at] * (gradients[at] - inner);
                double size = values[at] * (Math.abs(gradients[at]) + absolute);
                double ulps = Math.abs(differentiated[at] - exact) / (size * 0x1p-23);
                if (!(ulps <= columns + 4)) {
                    throw new IllegalStateException(softmax.getClass().getSimpleName() + ", row " + row + ": dx is "
                            + differentiated[at] + ", expected " + exact);
                }
                maxUlps = Math.max(maxUlps, ulps);
            }
        }
        return maxUlps;
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalar(Work work, MaxError error) {
        work.add(5.0 * scores.length, 8.0 * scores.length);
        error.report(scalarErrorUlps);
        return run(scalar);
    }

    @Benchmark
    public float[] vector(Work work, MaxError error) {
        work.add(5.0 * scores.length, 8.0 * scores.length);
        error.report(vectorErrorUlps);
        return run(vector);
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalarBackward(Work work, MaxError error) {
        work.add(4.0 * scores.length, 12.0 * scores.length);
        error.report(scalarBackwardUlps);
        return runBackward(scalar);
    }

    @Benchmark
    public float[] vectorBackward(Work work, MaxError error) {
        work.add(4.0 * scores.length, 12.0 * scores.length);
        error.report(vectorBackwardUlps);
        return runBackward(vector);
    }
}
