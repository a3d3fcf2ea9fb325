package org.lemmata.model.parity;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.lemmata.benchmark.Work;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The peak rate for the packed bits of {@link ParityGradientBenchmark}: AND and bit count of two arrays in the
 * first-level cache, on one thread.
 *
 * <pre>
 * mvn -P jmh verify -DskipTests -Djmh.include=BitCountBenchmark
 * </pre>
 *
 * <p>{@code gigaflops} counts 10^9 bit operations: 64 for the AND of two longs, and 64 for the bit count.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xbatch")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
public class BitCountBenchmark {

    private static final int WORDS = 1024;

    private static final int PASSES = 1000;

    private final long[] a = new SplittableRandom(1).longs(WORDS).toArray();
    private final long[] b = new SplittableRandom(2).longs(WORDS).toArray();

    /** Runs all passes. The second array changes between passes. */
    @Benchmark
    public long count(Work work) {
        work.add(2.0 * Long.SIZE * WORDS * PASSES, 2.0 * Long.BYTES * WORDS * PASSES);
        long sum = 0;
        for (int pass = 0; pass < PASSES; pass++) {
            sum += common();
            b[pass % WORDS] = sum;
        }
        return sum;
    }

    private int common() {
        int common = 0;
        for (int word = 0; word < WORDS; word++) {
            common += Long.bitCount(a[word] & b[word]);
        }
        return common;
    }
}
