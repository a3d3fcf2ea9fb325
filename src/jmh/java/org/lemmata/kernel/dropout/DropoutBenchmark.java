package org.lemmata.kernel.dropout;

import java.util.concurrent.TimeUnit;
import org.lemmata.benchmark.Checked;
import org.lemmata.benchmark.KernelBenchmark;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.kernel.problem.DropoutProblem;
import org.lemmata.kernel.problem.Expected;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Dropout with p = 0.1, in arrays per second. {@code gigabytes} counts inputs and outputs, 8 bytes per element. The
 * backward pass is the same map. {@code maxErrorUlps} is the maximum error of a kept element.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=DropoutBenchmark}; in and beyond the cache: add {@code -Djmh.args="-p
 * elements=16384,16777216 -p threads=1,2"}.
 *
 * <p>Pitfalls: with the same stream in each call, the mask could be cached, so every call has its own step.
 */
public class DropoutBenchmark extends KernelBenchmark {

    private static final double PROBABILITY = 0.1;

    @Param("1048576")
    public int elements;

    private final Checked<Dropout> forward = new Checked<>();

    @Setup
    public void prepare() {
        var problem = new DropoutProblem(PROBABILITY, elements);
        Dropout scalar = new ScalarDropout();
        Dropout vector = new VectorDropout(startWorkers());
        Checked.requireSameBits(problem.forward(), scalar, vector);
        float[] dropped = problem.forward().run(scalar).clone();
        checkCount(dropped);
        // p is rounded to a multiple of 2^-16.
        double kept = 1 - Math.rint(65536 * PROBABILITY) / 65536;
        forward.prepare(
                problem.forward().expecting(i -> Expected.inUlps(dropped[i] == 0 ? 0 : problem.x()[i] / kept)),
                scalar,
                vector,
                1);
    }

    /** Checks that the number of zeros is within five standard deviations of its mean. */
    private void checkCount(float[] y) {
        int dropped = 0;
        for (float element : y) {
            dropped += element == 0 ? 1 : 0;
        }
        double deviation = Math.sqrt(elements * PROBABILITY * (1 - PROBABILITY));
        if (Math.abs(dropped - elements * PROBABILITY) > 5 * deviation) {
            throw new IllegalStateException("dropped " + dropped + " of " + elements);
        }
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
}
