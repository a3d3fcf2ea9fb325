package org.lemmata.kernel.loss;

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
import org.openjdk.jmh.annotations.Warmup;

/**
 * Squared error with its gradient, calls a second.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=SquaredErrorBenchmark}; past the cache: add {@code -Djmh.args="-p
 * count=16777216 -p threads=1,2"}, and read {@code gigabytes} against the triad.
 *
 * <p>What goes wrong if it is written otherwise: a gradient in place of y would be the next call's y, and goes to 0.
 * {@code -Xbatch} makes calls wait for the compiler: on a busy machine, boxed vectors were measured for seconds without
 * it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xbatch")
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public class SquaredErrorBenchmark {

    @Param("336000")
    public int count;

    @Param("1")
    public int threads;

    private final SquaredError scalar = new ScalarSquaredError();
    private SquaredError vector = new VectorSquaredError();
    private float[] y = {};
    private float[] targets = {};
    private float[] dy = {};
    private double scalarUlps;
    private double vectorUlps;

    @Setup
    public void prepare() {
        vector = new VectorSquaredError(Workers.of(threads));
        SplittableRandom random = new SplittableRandom(1);
        y = new float[count];
        targets = new float[count];
        for (int i = 0; i < count; i++) {
            y[i] = (float) random.nextDouble(-1, 1);
            targets[i] = (float) random.nextDouble(-1, 1);
        }
        dy = new float[count];
        scalarUlps = maxUlps(scalar);
        vectorUlps = maxUlps(vector);
    }

    private double backward(SquaredError squaredError) {
        return squaredError.backward(dy, 0, y, 0, targets, 0, 0.5, count);
    }

    /** The maximum error of the gradient against binary64; the loss may not be off by 2^-16 of itself. */
    private double maxUlps(SquaredError squaredError) {
        double loss = backward(squaredError);
        double exactLoss = 0;
        double maxUlps = 0;
        for (int i = 0; i < count; i++) {
            double exact = (double) y[i] - targets[i];
            exactLoss += 0.5 * exact * exact;
            double ulps = exact == dy[i] ? 0 : Math.abs(dy[i] - exact) / Math.ulp((float) exact);
            if (!(ulps <= 1)) {
                throw new IllegalStateException(squaredError.getClass().getSimpleName() + ", element " + i
                        + ": gradient is " + dy[i] + ", expected " + exact);
            }
            maxUlps = Math.max(maxUlps, ulps);
        }
        if (!(Math.abs(loss - exactLoss) <= 0x1p-16 * exactLoss)) {
            throw new IllegalStateException(
                    squaredError.getClass().getSimpleName() + ": loss is " + loss + ", expected " + exactLoss);
        }
        return maxUlps;
    }

    @Benchmark
    public double scalar(Work work, MaxError error) {
        work.add(5.0 * count, 12.0 * count);
        error.report(scalarUlps);
        return backward(scalar);
    }

    @Benchmark
    public double vector(Work work, MaxError error) {
        work.add(5.0 * count, 12.0 * count);
        error.report(vectorUlps);
        return backward(vector);
    }
}
