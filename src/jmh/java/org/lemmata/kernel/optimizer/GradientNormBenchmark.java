package org.lemmata.kernel.optimizer;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.lemmata.benchmark.KernelBenchmark;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.kernel.problem.Numbers;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The squared norm of all gradients, in calls per second. {@code gigabytes} counts 4 bytes per parameter.
 * {@code maxErrorUlps} is in units of 2^-23 of the result. It is near 0, because sums are in binary64.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=GradientNormBenchmark}; on two threads: add {@code -Djmh.args="-p
 * threads=2"}.
 *
 * <p>Pitfalls: with gradients that fit in the cache of a core, conversions to binary64 would be measured. The gradients
 * of a model come from memory.
 */
public class GradientNormBenchmark extends KernelBenchmark {

    @Param("16777216")
    public int parameters;

    private final GradientNorm scalar = new ScalarGradientNorm();
    private GradientNorm vector = scalar;
    private float[] gradients = {};
    private double scalarErrorUlps;
    private double vectorErrorUlps;

    @Setup
    public void prepare() {
        vector = new VectorGradientNorm(startWorkers());
        gradients = Numbers.uniform(parameters, -1, 1, new SplittableRandom(1));
        double exact = 0;
        for (float gradient : gradients) {
            exact += (double) gradient * gradient;
        }
        scalarErrorUlps = errorUlps(scalar, exact);
        vectorErrorUlps = errorUlps(vector, exact);
    }

    private double errorUlps(GradientNorm gradientNorm, double exact) {
        double ulps = Math.abs(gradientNorm.squaredNorm(0, gradients, 0, parameters) - exact) / exact * 0x1p23;
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
        return scalar.squaredNorm(0, gradients, 0, parameters);
    }

    @Benchmark
    public double vector(Work work, MaxError maxError) {
        work.add(2.0 * parameters, 4.0 * parameters);
        maxError.report(vectorErrorUlps);
        return vector.squaredNorm(0, gradients, 0, parameters);
    }
}
