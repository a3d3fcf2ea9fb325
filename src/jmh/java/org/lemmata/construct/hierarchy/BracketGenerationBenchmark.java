package org.lemmata.construct.hierarchy;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.Decoding;
import org.lemmata.model.Generation;
import org.lemmata.model.Transformer;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.task.hierarchy.BracketTokens;
import org.lemmata.task.hierarchy.GenerationProcess;
import org.lemmata.token.Batch;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * Greedy generation of {@code length} - 1 brackets after a start token by the generators in binary32, with a KV cache,
 * and with recomputation of the whole prefix for each token.
 *
 * <pre>
 * mvn -P jmh verify -Djmh.include=BracketGenerationBenchmark
 * </pre>
 *
 * <p>Read {@code tokens}: tokens per second, on one thread. With the cache, a token reads the keys and values of all
 * earlier tokens, so its cost is a constant plus a part linear in the length; without the cache, it costs a whole pass.
 *
 * <p>Pitfalls: a deep word needs more bits than binary32 has. Greedy words have depth one and never end, because r / 2
 * exceeds 1 - r. {@code -Xbatch} is needed because vectors are objects until C2 has compiled the code.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xbatch", "-XX:ObjectAlignmentInBytes=64"})
@Warmup(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class BracketGenerationBenchmark {

    private static final int DEPTH = 2;

    /** The length at which generation with the cache is compared with generation without it. */
    private static final int CHECKED_LENGTH = 32;

    public enum Generator {
        DYCK,
        SHUFFLE_DYCK
    }

    @Param
    public Generator generator = Generator.DYCK;

    @Param({"64", "256", "1024"})
    public int length = 64;

    private Transformer model = model();
    private List<int[]> starts = List.of();

    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Tokens {
        public long tokens;
    }

    private GenerationProcess process() {
        return generator == Generator.DYCK
                ? GenerationProcess.dyck(2, 0.4, 0.9)
                : GenerationProcess.shuffleDyck(2, 0.4, 0.9);
    }

    private Transformer model() {
        BracketTransformer transformer = generator == Generator.DYCK
                ? new DyckGenerator(process(), DyckConstants.of(length, DEPTH), 0.05)
                : new ShuffleDyckGenerator(process(), length, 0.05);
        Rounding binary32 = Rounding.toNearestEven(FloatFormat.BINARY32);
        return new Transformer(transformer.build().narrow(binary32), Kernels.best());
    }

    /**
     * Builds the model. Checks that its tokens are a prefix of a word, and that the first {@value #CHECKED_LENGTH} are
     * the same without the cache.
     */
    @Setup
    public void prepare() {
        model = model();
        BracketTokens tokens = process().tokens();
        starts = List.of(new int[] {tokens.start()});
        int[] written = cached().tokens();
        int[] brackets = Arrays.copyOfRange(written, 1, written.length);
        if (!process().language().isPrefix(tokens, brackets)) {
            throw new IllegalStateException("expected a prefix, got " + tokens.text(brackets));
        }
        int[] anew = anew(CHECKED_LENGTH);
        if (!Arrays.equals(anew, Arrays.copyOf(written, anew.length))) {
            throw new IllegalStateException("expected " + tokens.text(anew) + ", got " + tokens.text(written));
        }
    }

    private Generation cached() {
        return Generation.complete(model, starts, length, new Decoding.Greedy()).getFirst();
    }

    private int[] anew(int end) {
        int[] written = starts.getFirst();
        while (written.length < end) {
            double[] logits = model.lastLogits(Batch.of(List.of(written)));
            int likeliest = 0;
            for (int token = 1; token < logits.length; token++) {
                likeliest = logits[token] > logits[likeliest] ? token : likeliest;
            }
            written = Arrays.copyOf(written, written.length + 1);
            written[written.length - 1] = likeliest;
        }
        return written;
    }

    @Benchmark
    public Generation vectorWithCache(Tokens work) {
        work.tokens += length - 1;
        return cached();
    }

    @Benchmark
    public int[] vectorWithoutCache(Tokens work) {
        work.tokens += length - 1;
        return anew(length);
    }
}
