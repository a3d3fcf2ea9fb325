package org.lemmata.kernel.elementary;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * e^x of {@value #LENGTH} numbers, calls a second; the secondary result {@code gigaelements} is the work, in 10^9
 * elements a second. {@code scalar} is {@link Math#exp}.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=ExpBenchmark}.
 *
 * <p>What goes wrong if it is written otherwise: with one number or a constant array the compiler computes once and
 * keeps the answer; results that are not stored in an array that is returned need not be computed at all.
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
public class ExpBenchmark {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    /** 16 KiB of numbers and 16 of results, within a first-level cache. */
    private static final int LENGTH = 4096;

    private final float[] x = new float[LENGTH];
    private final float[] y = new float[LENGTH];

    /** The work done; JMH divides by the time. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Work {

        /** Billions of elements. */
        public double gigaelements;

        @Setup(Level.Iteration)
        public void clear() {
            gigaelements = 0;
        }
    }

    @Setup
    public void prepare() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < LENGTH; i++) {
            x[i] = (float) random.nextDouble(-87, 88);
        }
        exponentiate();
        for (int i = 0; i < LENGTH; i++) {
            double exact = Math.exp(x[i]);
            if (!(Math.abs(y[i] - exact) <= Math.ulp((float) exact))) {
                throw new IllegalStateException("exp(" + x[i] + ") is " + y[i] + ", expected " + exact);
            }
        }
    }

    private void exponentiate() {
        for (int i = 0; i < LENGTH; i += SPECIES.length()) {
            VectorExp.exp(FloatVector.fromArray(SPECIES, x, i)).intoArray(y, i);
        }
    }

    @Benchmark
    public float[] scalar(Work work) {
        for (int i = 0; i < LENGTH; i++) {
            y[i] = (float) Math.exp(x[i]);
        }
        work.gigaelements += 1e-9 * LENGTH;
        return y;
    }

    @Benchmark
    public float[] vector(Work work) {
        exponentiate();
        work.gigaelements += 1e-9 * LENGTH;
        return y;
    }
}
