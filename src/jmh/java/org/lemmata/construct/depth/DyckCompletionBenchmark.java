package org.lemmata.construct.depth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.lemmata.construct.Construction;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.Decoding;
import org.lemmata.model.Generation;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.task.depth.DyckWords;
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
 * Greedy completion of 256 prefixes of Dyck words by the model of Richard (2024), theorem 4.1: on scalar kernels, on
 * SIMD kernels, and by the binary64 reference.
 *
 * <p>{@code mvn -P jmh verify -Djmh.include=DyckCompletion}. Read {@code tokens}: generated tokens per second. The
 * kernels compute only the newest token, because keys and values are cached. The reference computes the whole context
 * for each token. A model of width 1 hardly uses SIMD lanes, so its rows measure the cost around the kernels. There are
 * many prefixes of all lengths, because the branch predictor would learn a single prefix.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public class DyckCompletionBenchmark {

    private static final int PREFIXES = 256;

    /** N. Words have 2N tokens. */
    @Param("16")
    int pairs;

    private List<int[]> prefixes = List.of();
    private LanguageModel scalarModel = model(new int[] {DyckWords.OPEN, DyckWords.CLOSE}, Kernels.scalar());
    private LanguageModel vectorModel = scalarModel;
    private LanguageModel referenceModel = scalarModel;

    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Work {
        public long tokens;
    }

    /** Builds the models. Checks that every completion is a word and that the three models agree. */
    @Setup
    public void check() {
        var words = new DyckWords(pairs);
        var random = new SplittableRandom(4);
        int[] word = words.sampleIds(random);
        scalarModel = model(word, Kernels.scalar());
        vectorModel = model(word, Kernels.best());
        referenceModel = new ReferenceTransformer(construction(word).build());
        List<int[]> drawn = new ArrayList<>();
        for (int i = 0; i < PREFIXES; i++) {
            drawn.add(Arrays.copyOf(words.sampleIds(random), random.nextInt(1, 2 * pairs)));
        }
        prefixes = drawn;
        List<Generation> expected = complete(referenceModel);
        for (LanguageModel model : List.of(scalarModel, vectorModel)) {
            List<Generation> completed = complete(model);
            for (int i = 0; i < PREFIXES; i++) {
                int[] tokens = completed.get(i).tokens();
                if (!DyckWords.isBalanced(tokens)
                        || !Arrays.equals(tokens, expected.get(i).tokens())) {
                    throw new IllegalStateException(
                            "expected " + DyckWords.text(expected.get(i).tokens()) + ", got " + DyckWords.text(tokens));
                }
            }
        }
    }

    @Benchmark
    public List<Generation> scalar(Work work) {
        return count(complete(scalarModel), work);
    }

    @Benchmark
    public List<Generation> vector(Work work) {
        return count(complete(vectorModel), work);
    }

    @Benchmark
    public List<Generation> reference(Work work) {
        return count(complete(referenceModel), work);
    }

    private List<Generation> complete(LanguageModel model) {
        return Generation.complete(model, prefixes, 2 * pairs, new Decoding.Greedy());
    }

    private static List<Generation> count(List<Generation> generations, Work work) {
        for (Generation generation : generations) {
            work.tokens += generation.logits().size();
        }
        return generations;
    }

    private static Construction construction(int[] word) {
        return new DyckCompleterByPositionSums(DyckWords.BRACKETS, word, -0.5);
    }

    private static LanguageModel model(int[] word, Kernels kernels) {
        return construction(word).model(kernels);
    }
}
