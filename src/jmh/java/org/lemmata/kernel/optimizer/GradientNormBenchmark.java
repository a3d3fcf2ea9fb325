package org.lemmata.kernel.optimizer;

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
 * The squared norm of all gradients, calls a second; {@code gigabytes} is what it reads, 4 bytes a parameter.
 * {@code maxErrorUlps} is the error in units of 2^-23 of the result, which binary64 keeps near 0.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=GradientNormBenchmark}; on two threads: add {@code -Djmh.args="-p
 * threads=2"}.
 *
 * <p>What goes wrong if it is written otherwise: gradients in the cache of a core measure conversions to binary64;
 * gradients of a model come from memory.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xbatch")
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public class GradientNormBenchmark {

    @Param("16777216")
    public int parameters;

    @Param("1")
    public int threads;

    private final GradientNorm scalar = new ScalarGradientNorm();
    private Workers workers = Workers.caller();
    private GradientNorm vector = scalar;
    private float[] gradients = {};
    private double scalarErrorUlps;
    private double vectorErrorUlps;

    @Setup
    public void prepare() {
        workers = Workers.of(threads);
        vector = new VectorGradientNorm(workers);
        SplittableRandom random = new SplittableRandom(1);
        gradients = new float[parameters];
        double exact = 0;
        for (int i = 0; i < parameters; i++) {
            gradients[i] = (float) random.nextDouble(-1, 1);
            exact += (double) gradients[i] * gradients[i];
        }
        scalarErrorUlps = errorUlps(scalar, exact);
        vectorErrorUlps = errorUlps(vector, exact);
    }

    @TearDown
    public void stop() {
        workers.close();
    }

    private double errorUlps(GradientNorm gradientNorm, double exact) {
        double ulps = Math.abs(gradientNorm.squaredNorm(gradients, 0, parameters) - exact) / exact * 0x1p23;
        if (!(ulps <= 1e-3)) {
            throw new IllegalStateException(gradientNorm.getClass().getSimpleName() + ": off by " + ulps + " ulps");
        }
        return ulps;
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public double scalar(Work work, MaxError maxError) {
        work.add(2.0 * parameters, 4.0 * parameters);
        maxError.report(scalarErrorUlps);
        return scalar.squaredNorm(gradients, 0, parameters);
    }

    @Benchmark
    public double vector(Work work, MaxError maxError) {
        work.add(2.0 * parameters, 4.0 * parameters);
        maxError.report(vectorErrorUlps);
        return vector.squaredNorm(gradients, 0, parameters);
    }
}
