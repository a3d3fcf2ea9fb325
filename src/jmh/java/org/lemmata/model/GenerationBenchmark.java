package org.lemmata.model;

import it.unimi.dsi.fastutil.ints.IntSet;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.thread.Workers;
import org.openjdk.jmh.annotations.AuxCounters;
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
 * Greedy generation from one token to {@code length} tokens, with a KV cache, and with recomputation of the whole
 * context for each token. The model is a decoder like GPT-2 with width 128, 4 layers of 2 heads and hidden width 1024,
 * or GPT-2 with 124 million parameters.
 *
 * <pre>
 * mvn -P jmh verify -Djmh.include=model.GenerationBenchmark
 * mvn -P jmh verify -Djmh.include=model.GenerationBenchmark \
 *         -Djmh.args="-p length=32,128,512,1024 -p prefixes=1,16 -p threads=1,2"
 * mvn -P jmh verify -Djmh.include='model.GenerationBenchmark.vectorWithCache|MachineBenchmark.read' \
 *         -Djmh.args="-p size=GPT2 -p threads=1,2 -r 5s"
 * </pre>
 *
 * <p>Read {@code tokens}: generated tokens per second, of all prefixes together. With the cache, a token reads its
 * context and the model's weights, which all prefixes share. Without the cache, it needs a forward pass over its
 * context; at length 1024 a call takes many seconds. With one prefix, the bytes of all weights multiplied by
 * {@code tokens} are at most {@code gigabytes} of {@code MachineBenchmark.read}.
 *
 * <p>Pitfalls: a generation that ends early has only short contexts, so there is no end token. {@code -Xbatch} is
 * needed because vectors are objects until C2 has compiled the code.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xbatch", "-XX:ObjectAlignmentInBytes=64"})
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class GenerationBenchmark {

    /** The length at which generation with the cache is compared with generation without it. */
    private static final int CHECKED_LENGTH = 48;

    public enum Size {
        SMALL(18, 128, 4, 2),
        GPT2(50_257, 768, 12, 12);

        private final int vocabulary;
        private final int width;
        private final int layers;
        private final int heads;

        Size(int vocabulary, int width, int layers, int heads) {
            this.vocabulary = vocabulary;
            this.width = width;
            this.layers = layers;
            this.heads = heads;
        }

        private Architecture architecture(int maxLength) {
            int hidden = this == SMALL ? 8 * width : 4 * width;
            return Architecture.gpt2(vocabulary, maxLength, width, layers, heads, hidden, 0);
        }
    }

    @Param("SMALL")
    public Size size = Size.SMALL;

    @Param({"32", "256"})
    public int length;

    @Param("1")
    public int prefixes;

    @Param("1")
    public int threads;

    private List<int[]> starts = List.of();
    private Workers workers = Workers.caller();
    private Transformer model = model(Size.SMALL, 2, workers);

    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Tokens {
        public long tokens;
    }

    private static Transformer model(Size size, int maxLength, Workers workers) {
        return new Transformer(
                Parameters.normal(size.architecture(maxLength), 0.1, new SplittableRandom(20251121)),
                Kernels.best(workers));
    }

    /** Builds the model. Checks that tokens and logits are the same with and without the cache. */
    @Setup
    public void prepare() {
        workers = Workers.of(threads);
        model = model(size, length, workers);
        starts = IntStream.range(0, prefixes)
                .mapToObj(i -> new int[] {i % size.vocabulary})
                .toList();
        int checked = Math.min(length, CHECKED_LENGTH);
        List<Generation> cached = Generation.complete(model, starts, checked, new Decoding.Greedy());
        List<Generation> recomputed = recompute(checked);
        for (int i = 0; i < prefixes; i++) {
            Generation one = cached.get(i);
            Generation other = recomputed.get(i);
            if (!Arrays.equals(one.tokens(), other.tokens())
                    || !Arrays.deepEquals(one.logits().toArray(), other.logits().toArray())) {
                throw new IllegalStateException("prefix " + i + ": expected " + Arrays.toString(other.tokens())
                        + " and its logits, got " + Arrays.toString(one.tokens()));
            }
        }
    }

    private List<Generation> recompute(int end) {
        return Generation.complete(model, starts, end, new Decoding.Greedy(), IntSet.of(), 0);
    }

    @Benchmark
    public List<Generation> vectorWithCache(Tokens work) {
        return count(Generation.complete(model, starts, length, new Decoding.Greedy()), work);
    }

    @Benchmark
    public List<Generation> vectorWithoutCache(Tokens work) {
        return count(recompute(length), work);
    }

    private static List<Generation> count(List<Generation> generations, Tokens work) {
        for (Generation generation : generations) {
            work.tokens += generation.logits().size();
        }
        return generations;
    }

    @TearDown
    public void close() {
        workers.close();
    }
}
