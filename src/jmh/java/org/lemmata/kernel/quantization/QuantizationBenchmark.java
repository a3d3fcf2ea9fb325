package org.lemmata.kernel.quantization;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.elementary.VectorExp;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.number.BlockRounding;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.number.TensorRounding;
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
 * Rounding an array, arrays a second; {@code vectorExponentials} takes e^x of the same array, and its rate over that of
 * {@code vector} is what rounding costs, in vector exponentials an element. {@code ElementaryBenchmark} takes them
 * faster: add it to the run. {@code scalarSums} and {@code vectorSums} round sums as if they were exact; blocks, which
 * have none, are rounded there too.
 *
 * <p>{@code maxErrorUlps} is 0 for what is rounded: {@code @Setup} compares it bit by bit. {@code gigabytes} counts
 * each array once.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=QuantizationBenchmark}; more of it: add {@code -Djmh.args="-p
 * elements=4096,65536 -p format=tf32,ocp_e5m2 -p mode=TiesToAway,TowardZero,TowardPositive,ToOdd"}.
 *
 * <p>What goes wrong if it is written otherwise: with the same stream in each call, words could be kept from one to the
 * next; here every call has a step of its own. In place, all but the first call round what is rounded already, and
 * numbers without subnormals and ties are faster on some machines.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xbatch")
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public class QuantizationBenchmark {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    @Param({"bfloat16", "binary16", "ocp_e4m3", "mxfp4_e2m1", "int8"})
    public String format = "";

    @Param({"TiesToEven", "Stochastic"})
    public String mode = "";

    @Param("4096")
    public int elements;

    @Param("1")
    public int threads;

    private final Quantization scalar = new ScalarQuantization();
    private Workers workers = Workers.caller();
    private Quantization vector = scalar;
    private TensorRounding rounding = Rounding.toNearestEven(FloatFormat.BINARY32);
    private float[] x = {};
    private float[] addends = {};
    private float[] y = {};
    private long step;
    private double exponentialErrorUlps;

    @Setup
    public void prepare() {
        workers = Workers.of(threads);
        vector = new VectorQuantization(workers);
        rounding = TensorRounding.parse(format, Rounding.Mode.parse(mode), true, false);
        SplittableRandom random = new SplittableRandom(1);
        x = new float[elements];
        addends = new float[elements];
        y = new float[elements];
        for (int i = 0; i < elements; i++) {
            x[i] = (float) random.nextGaussian();
            addends[i] = (float) random.nextGaussian();
        }
        long firstStep = step;
        float[] expected = round(scalar).clone();
        compare("round", expected, firstStep);
        expected = add(scalar).clone();
        step--;
        add(vector);
        requireEqual("add", expected);
        exponentiate();
        for (int i = 0; i < elements; i++) {
            double exact = Math.exp(x[i]);
            exponentialErrorUlps = Math.max(exponentialErrorUlps, Math.abs(y[i] - exact) / Math.ulp((float) exact));
        }
        if (!(exponentialErrorUlps <= 1)) {
            throw new IllegalStateException("exponentials off by up to " + exponentialErrorUlps + " ulps");
        }
    }

    private void compare(String name, float[] reference, long firstStep) {
        if (rounding instanceof Rounding elementwise) {
            RandomStream stream = new RandomStream(1, 2, firstStep);
            for (int i = 0; i < elements; i++) {
                y[i] = elementwise.round(x[i], elementwise.isStochastic() ? stream.word(i) : 0);
            }
            requireEqual(name, reference);
        }
        step = firstStep;
        round(vector);
        requireEqual(name, reference);
    }

    private void requireEqual(String name, float[] expected) {
        for (int i = 0; i < elements; i++) {
            if (Float.floatToIntBits(y[i]) != Float.floatToIntBits(expected[i])) {
                throw new IllegalStateException(name + ": expected " + expected[i] + " for " + x[i] + ", got " + y[i]);
            }
        }
    }

    @TearDown
    public void stop() {
        workers.close();
    }

    private float[] round(Quantization quantization) {
        quantization.round(y, 0, elements, x, 0, elements, 1, elements, rounding, new RandomStream(1, 2, step++));
        return y;
    }

    private float[] add(Quantization quantization) {
        RandomStream stream = new RandomStream(1, 2, step++);
        switch (rounding) {
            case Rounding elementwise -> quantization.add(y, 0, x, 0, addends, 0, elements, elementwise, stream);
            case BlockRounding blocks ->
                quantization.round(y, 0, elements, x, 0, elements, 1, elements, blocks, stream);
        }
        return y;
    }

    private void exponentiate() {
        for (int i = 0; i < elements; i += SPECIES.length()) {
            VectorExp.exp(FloatVector.fromArray(SPECIES, x, i)).intoArray(y, i);
        }
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalar(Work work, MaxError error) {
        work.add(elements, 8.0 * elements);
        error.report(0);
        return round(scalar);
    }

    @Benchmark
    public float[] vector(Work work, MaxError error) {
        work.add(elements, 8.0 * elements);
        error.report(0);
        return round(vector);
    }

    @Benchmark
    public float[] vectorExponentials(Work work, MaxError error) {
        work.add(elements, 8.0 * elements);
        error.report(exponentialErrorUlps);
        exponentiate();
        return y;
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalarSums(Work work, MaxError error) {
        work.add(elements, 12.0 * elements);
        error.report(0);
        return add(scalar);
    }

    @Benchmark
    public float[] vectorSums(Work work, MaxError error) {
        work.add(elements, 12.0 * elements);
        error.report(0);
        return add(vector);
    }
}
