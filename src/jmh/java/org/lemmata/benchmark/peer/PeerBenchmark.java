package org.lemmata.benchmark.peer;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * An operation implemented by several libraries; the library {@code lemmata} is Lemmata. A subclass has a parameter
 * {@code library}, and the report divides rows that differ only in this parameter.
 *
 * <p>JMH runs each value of a parameter in separate forks, so libraries do not share threads or symbols. Options after
 * {@code -jvmArgsAppend} replace the options given here.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {
            "-Xbatch",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Dorg.bytedeco.javacpp.cachedir=target/peers"
        })
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public abstract class PeerBenchmark {

    @Param({"1", "2"})
    public int threads;

    private @Nullable Contender contender;
    private double maxErrorUlps;

    /**
     * Sets the contender to be measured, checks it once and prints its description.
     *
     * @param check computes the maximum error of {@link Contender#results}; throws an exception if it is too large
     */
    protected final void start(Contender contender, ToDoubleFunction<List<float[]>> check) {
        this.contender = contender;
        maxErrorUlps = check.applyAsDouble(contender.results());
        System.out.println("# " + contender.description() + "; threads " + threads);
    }

    /** Runs one call, and adds the work of the formula. */
    protected final Object run(Work work, MaxError error, double flops, double bytes) {
        Contender measured = contender;
        if (measured == null) {
            throw new IllegalStateException("not started");
        }
        measured.run();
        work.add(flops, bytes);
        error.report(maxErrorUlps);
        return measured;
    }

    @TearDown
    public final void close() {
        if (contender != null) {
            contender.close();
        }
    }

    /** Parses sizes such as 64x30. */
    protected static int[] sizes(String name, String text, int count) {
        String[] parts = text.split("x", -1);
        if (parts.length != count) {
            throw new IllegalArgumentException(
                    name + ": expected " + count + " sizes separated by x, got '" + text + "'");
        }
        return Arrays.stream(parts).mapToInt(Integer::parseInt).toArray();
    }

    /** Independent numbers, uniformly distributed in [-scale, scale). */
    protected static float[] random(long seed, int length, double scale) {
        SplittableRandom random = new SplittableRandom(seed);
        float[] x = new float[length];
        for (int i = 0; i < length; i++) {
            x[i] = (float) random.nextDouble(-scale, scale);
        }
        return x;
    }

    protected static IllegalArgumentException unknownLibrary(String library, String expected) {
        return new IllegalArgumentException("library: expected " + expected + ", got '" + library + "'");
    }
}
