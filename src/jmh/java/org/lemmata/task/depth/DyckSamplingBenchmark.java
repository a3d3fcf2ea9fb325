package org.lemmata.task.depth;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
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
 * Sampling of D_2N, in words per second on one core: {@code exact} unranks a random integer, {@code straightforward}
 * shuffles brackets.
 *
 * <p>Both are uniform over all words. Run with {@code mvn -P jmh verify -Djmh.include=DyckSampling}. With a constant
 * rank, the branch predictor would learn the word. If the result were not returned, the compiler could drop the draw.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public class DyckSamplingBenchmark {

    private static final int CHECKED_WORDS = 10_000;

    @Param("16")
    int pairs;

    private final RandomGenerator random = new SplittableRandom(16);
    private DyckWords words = new DyckWords(1);
    private boolean[] opens = new boolean[0];

    @Setup
    public void check() {
        words = new DyckWords(pairs);
        opens = new boolean[2 * pairs + 1];
        for (int i = 0; i < CHECKED_WORDS; i++) {
            requireWord(exact());
            requireWord(straightforward());
        }
    }

    private void requireWord(long bits) {
        int[] word = DyckWords.ids(bits, 2 * pairs);
        if (!words.accepts(word)) {
            throw new IllegalStateException(
                    "expected a balanced word of N = " + pairs + ", got " + DyckWords.text(word));
        }
    }

    @Benchmark
    public long exact() {
        return words.sampleBits(random);
    }

    /**
     * The cycle lemma of Dvoretzky and Motzkin (1947). Of the 2N + 1 rotations of N + 1 '(' and N ')', exactly one has
     * only positive heights. Without its first '(' it is a balanced word, and every word results from 2N + 1
     * arrangements.
     */
    @Benchmark
    public long straightforward() {
        int length = opens.length;
        for (int i = 0; i < length; i++) {
            opens[i] = i <= length / 2;
        }
        for (int i = length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            boolean open = opens[i];
            opens[i] = opens[j];
            opens[j] = open;
        }
        int height = 0;
        int minimum = 0;
        int start = 0;
        for (int i = 0; i < length; i++) {
            height += opens[i] ? 1 : -1;
            if (height <= minimum) {
                minimum = height;
                start = i + 1;
            }
        }
        long word = 0;
        for (int i = 0; i < length - 1; i++) {
            word |= (opens[(start + 1 + i) % length] ? 1L : 0L) << i;
        }
        return word;
    }
}
