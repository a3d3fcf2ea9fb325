package org.lemmata.kernel.loss;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
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
 * Squared error with its gradient, calls a second; {@code gigabytes} counts 12 bytes an element. {@code maxErrorUlps} is
 * in units of 2^-23 of the sum of the absolute terms, of the loss and of all gradients.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=SquaredErrorBenchmark}; other lengths: add {@code -Djmh.args="-p
 * length=65536"}.
 *
 * <p>What goes wrong if it is written otherwise: the loss of equal arrays is 0 however it is summed.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xbatch")
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public class SquaredErrorBenchmark {

    @Param("1048576")
    public int length;

    private final SquaredError scalar = new ScalarSquaredError();
    private final SquaredError vector = new VectorSquaredError();
    private float[] y = {};
    private float[] targets = {};
    private float[] dy = {};
    private double scalarUlps;
    private double vectorUlps;

    @Setup
    public void prepare() {
        SplittableRandom random = new SplittableRandom(1);
        y = new float[length];
        targets = new float[length];
        dy = new float[length];
        for (int i = 0; i < length; i++) {
            y[i] = (float) random.nextDouble(-1, 1);
            targets[i] = (float) random.nextDouble(-1, 1);
        }
        scalarUlps = maxUlps(scalar);
        vectorUlps = maxUlps(vector);
    }

    private double backward(SquaredError squaredError) {
        return squaredError.backward(dy, 0, y, 0, targets, 0, 1.0 / length, length);
    }

    private double maxUlps(SquaredError squaredError) {
        double loss = backward(squaredError);
        double exactLoss = 0;
        double maxUlps = 0;
        for (int i = 0; i < length; i++) {
            double difference = (double) y[i] - targets[i];
            double size = 2.0 / length * ((double) Math.abs(y[i]) + Math.abs(targets[i]));
            maxUlps = Math.max(maxUlps, ulps(squaredError, dy[i], 2.0 / length * difference, size));
            exactLoss += difference * difference / length;
        }
        return Math.max(maxUlps, ulps(squaredError, loss, exactLoss, exactLoss));
    }

    private static double ulps(SquaredError squaredError, double actual, double exact, double size) {
        double ulps = actual == exact ? 0 : Math.abs(actual - exact) / (size * 0x1p-23);
        if (!(ulps <= 16)) {
            throw new IllegalStateException(
                    squaredError.getClass().getSimpleName() + ": got " + actual + ", expected " + exact);
        }
        return ulps;
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public double scalar(Work work, MaxError error) {
        work.add(4.0 * length, 12.0 * length);
        error.report(scalarUlps);
        return backward(scalar);
    }

    @Benchmark
    public double vector(Work work, MaxError error) {
        work.add(4.0 * length, 12.0 * length);
        error.report(vectorUlps);
        return backward(vector);
    }
}
