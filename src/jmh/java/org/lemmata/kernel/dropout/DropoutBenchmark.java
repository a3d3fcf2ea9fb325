package org.lemmata.kernel.dropout;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.random.RandomStream;
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
 * Dropout with p = 0.1, arrays a second; {@code gigabytes} counts inputs and outputs, 8 bytes an element. The backward
 * pass is the same map. {@code maxErrorUlps} is the maximum error of a kept element.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=DropoutBenchmark}; in and beyond the cache: add {@code -Djmh.args="-p
 * elements=16384,16777216 -p threads=1,2"}.
 *
 * <p>What goes wrong if it is written otherwise: with the same stream in each call, a mask could be kept from one to
 * the next; here every call has a step of its own.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xbatch")
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public class DropoutBenchmark {

    private static final double PROBABILITY = 0.1;

    @Param("1048576")
    public int elements;

    @Param("1")
    public int threads;

    private final Dropout scalar = new ScalarDropout();
    private Workers workers = Workers.caller();
    private Dropout vector = scalar;
    private float[] inputs = {};
    private float[] outputs = {};
    private long step;
    private double scalarErrorUlps;
    private double vectorErrorUlps;

    @Setup
    public void prepare() {
        workers = Workers.of(threads);
        vector = new VectorDropout(workers);
        SplittableRandom random = new SplittableRandom(1);
        inputs = new float[elements];
        for (int i = 0; i < elements; i++) {
            inputs[i] = (float) random.nextDouble(1, 2);
        }
        outputs = new float[elements];
        scalarErrorUlps = maxErrorUlps(scalar);
        vectorErrorUlps = maxErrorUlps(vector);
    }

    @TearDown
    public void stop() {
        workers.close();
    }

    /** The kept ones against binary64; their number must be within five standard deviations of the expected. */
    private double maxErrorUlps(Dropout dropout) {
        run(dropout);
        double maxUlps = 0;
        int dropped = 0;
        for (int i = 0; i < elements; i++) {
            // p is a multiple of 2^-16.
            double exact = inputs[i] / (1 - Math.rint(65536 * PROBABILITY) / 65536);
            if (outputs[i] == 0) {
                dropped++;
            } else {
                maxUlps = Math.max(maxUlps, Math.abs(outputs[i] - exact) / Math.ulp((float) exact));
            }
        }
        double deviation = Math.sqrt(elements * PROBABILITY * (1 - PROBABILITY));
        if (!(maxUlps <= 2) || Math.abs(dropped - elements * PROBABILITY) > 5 * deviation) {
            throw new IllegalStateException(dropout.getClass().getSimpleName() + ": dropped " + dropped + " of "
                    + elements + ", others off by up to " + maxUlps + " ulps");
        }
        return maxUlps;
    }

    private float[] run(Dropout dropout) {
        dropout.forward(outputs, 0, inputs, 0, elements, PROBABILITY, new RandomStream(1, 2, step++));
        return outputs;
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalar(Work work, MaxError maxError) {
        work.add(elements, 8.0 * elements);
        maxError.report(scalarErrorUlps);
        return run(scalar);
    }

    @Benchmark
    public float[] vector(Work work, MaxError maxError) {
        work.add(elements, 8.0 * elements);
        maxError.report(vectorErrorUlps);
        return run(vector);
    }
}
