package org.lemmata.kernel.elementary;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
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
 * An elementary function of {@value #LENGTH} numbers, in calls per second. The secondary result {@code gigaflops}
 * counts one operation per element; {@code maxErrorUlps} is the maximum error found in {@code @Setup}. {@code scalar}
 * is the function of the JDK ({@link Math}, binary64).
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=ElementaryBenchmark}; all functions: add {@code -Djmh.args="-p
 * function=exp,sin,cos"}.
 *
 * <p>Pitfalls: with one number or a constant array, the compiler computes the result only once. Results that are not
 * stored in a returned array may not be computed at all. With a lambda for the function, vectors are passed to a call
 * and boxed.
 *
 * <p>{@code -Xbatch} makes calls wait for the compiler. Without it, boxed vectors were measured for seconds on a busy
 * machine.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xbatch", "-XX:ObjectAlignmentInBytes=64"})
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public class ElementaryBenchmark {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    /** The arguments take 16 KiB and the results 16 KiB, which fit in a first-level cache. */
    private static final int LENGTH = 4096;

    @Param({"exp", "cos"})
    public String function = "";

    private final float[] x = new float[LENGTH];
    private final float[] y = new float[LENGTH];
    private double scalarErrorUlps;
    private double vectorErrorUlps;

    @Setup
    public void prepare() {
        SplittableRandom random = new SplittableRandom(1);
        double minimum = switch (function) {
            case "exp" -> -87;
            default -> -100;
        };
        for (int i = 0; i < LENGTH; i++) {
            x[i] = (float) random.nextDouble(minimum, Math.abs(minimum) + 1);
        }
        applyScalar();
        scalarErrorUlps = maxErrorUlps();
        applyVector();
        vectorErrorUlps = maxErrorUlps();
    }

    private double maxErrorUlps() {
        double maxUlps = 0;
        for (int i = 0; i < LENGTH; i++) {
            double exact = exact(x[i]);
            double ulps = Math.abs(y[i] - exact) / Math.ulp((float) exact);
            if (!(ulps <= 1)) {
                throw new IllegalStateException(function + "(" + x[i] + ") is " + y[i] + ", expected " + exact);
            }
            maxUlps = Math.max(maxUlps, ulps);
        }
        return maxUlps;
    }

    private double exact(double at) {
        return switch (function) {
            case "exp" -> Math.exp(at);
            case "sin" -> Math.sin(at);
            case "cos" -> Math.cos(at);
            default -> throw new IllegalArgumentException("function: expected exp, sin or cos, got '" + function + "'");
        };
    }

    private void applyScalar() {
        switch (function) {
            case "exp" -> {
                for (int i = 0; i < LENGTH; i++) {
                    y[i] = (float) Math.exp(x[i]);
                }
            }
            case "sin" -> {
                for (int i = 0; i < LENGTH; i++) {
                    y[i] = (float) Math.sin(x[i]);
                }
            }
            default -> {
                for (int i = 0; i < LENGTH; i++) {
                    y[i] = (float) Math.cos(x[i]);
                }
            }
        }
    }

    private void applyVector() {
        switch (function) {
            case "exp" -> {
                for (int i = 0; i < LENGTH; i += SPECIES.length()) {
                    VectorExp.exp(FloatVector.fromArray(SPECIES, x, i)).intoArray(y, i);
                }
            }
            case "sin" -> VectorSine.sinInto(y, 0, x, 0, LENGTH);
            default -> VectorSine.cosInto(y, 0, x, 0, LENGTH);
        }
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalar(Work work, MaxError error) {
        applyScalar();
        work.add(LENGTH, 8.0 * LENGTH);
        error.report(scalarErrorUlps);
        return y;
    }

    @Benchmark
    public float[] vector(Work work, MaxError error) {
        applyVector();
        work.add(LENGTH, 8.0 * LENGTH);
        error.report(vectorErrorUlps);
        return y;
    }
}
