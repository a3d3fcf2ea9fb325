package org.lemmata.construct.hierarchy;

import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.model.Transformer;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.task.hierarchy.BracketLanguage;
import org.lemmata.task.hierarchy.BracketTokens;
import org.lemmata.task.hierarchy.UniformWords;
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
 * Recognition of words by length, in words per second, by constructions in binary32 on scalar and on vector kernels,
 * and in binary64. Shuffled words are also recognized with every tensor rounded to bfloat16.
 *
 * <pre>
 * mvn -P jmh verify -Djmh.include=BracketRecognitionBenchmark
 * </pre>
 *
 * <p>Read {@code words}: words per second, on one thread, with one word per call. Except in the last layer, attention
 * processes all pairs of positions, so for long words the rate is inversely proportional to the square of the length.
 * Depths are at most {@value #DEPTH}, for which binary32 is sufficient at every length.
 *
 * <p>Pitfalls: binary32 has 24 bits. Without a maximum depth, the recognizer of 700 brackets needs 32 bits; the
 * recognizer without a start token, which is not measured here, needs 26 bits for 100 brackets. {@code -Xbatch} is
 * needed because vectors are objects until C2 has compiled the code.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xbatch")
@Warmup(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class BracketRecognitionBenchmark {

    private static final int DEPTH = 8;

    private static final int TYPES = 2;

    private static final BracketTokens TOKENS = new BracketTokens(TYPES);

    /** The recognizer and its format. At all measured lengths, DYCK needs more bits than bfloat16 has. */
    public enum Recognizer {
        DYCK,
        SHUFFLE_DYCK,
        SHUFFLE_DYCK_BFLOAT16
    }

    @Param
    public Recognizer recognizer = Recognizer.DYCK;

    @Param({"10", "100", "700"})
    public int length = 10;

    private LanguageModel scalarModel = new ReferenceTransformer(transformer().build());
    private LanguageModel vectorModel = scalarModel;
    private LanguageModel exactModel = scalarModel;
    private Batch batch = Batch.of(List.of());

    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Words {
        public long words;
    }

    private BracketTransformer transformer() {
        return switch (recognizer) {
            case DYCK ->
                new DyckRecognizer(TOKENS, DyckConstants.of(length, depth()), DyckRecognizer.Variant.recovering());
            case SHUFFLE_DYCK, SHUFFLE_DYCK_BFLOAT16 -> new ShuffleDyckRecognizer(TOKENS, length);
        };
    }

    private int depth() {
        return Math.min(DEPTH, length / 2);
    }

    /** Builds the models. Checks that each accepts the word, and rejects it if its last bracket is reversed. */
    @Setup
    public void prepare() {
        BracketTransformer transformer = transformer();
        ExactParameters weights = transformer.build();
        scalarModel = model(weights, Kernels.scalar());
        vectorModel = model(weights, Kernels.best());
        exactModel = new ReferenceTransformer(weights);
        var random = new Random(20261123);
        UniformWords words = UniformWords.dyck(TOKENS, length / 2, 1, depth());
        int[] word = words.sample(random);
        int[] turned = word.clone();
        turned[length - 1] = TOKENS.open(TOKENS.type(word[length - 1]));
        BracketLanguage language = recognizer == Recognizer.DYCK ? BracketLanguage.DYCK : BracketLanguage.SHUFFLE_DYCK;
        for (int[] string : List.of(turned, word)) {
            batch = Batch.of(List.of(transformer.input(string)));
            boolean member = language.contains(TOKENS, string);
            for (LanguageModel model : List.of(scalarModel, vectorModel, exactModel)) {
                double score = model.lastLogits(batch)[0];
                if (!(member ? score > 0 : score < 0)) {
                    throw new IllegalStateException("expected " + member + ", got the score " + score);
                }
            }
        }
    }

    private LanguageModel model(ExactParameters weights, Kernels kernels) {
        boolean small = recognizer == Recognizer.SHUFFLE_DYCK_BFLOAT16;
        Rounding rounding = Rounding.toNearestEven(small ? FloatFormat.BFLOAT16 : FloatFormat.BINARY32);
        PrecisionPolicy policy = small ? PrecisionPolicy.tensors(rounding) : PrecisionPolicy.none();
        return new Transformer(weights.narrow(rounding), policy, kernels);
    }

    @Benchmark
    public double scalar(Words work) {
        work.words++;
        return scalarModel.lastLogits(batch)[0];
    }

    @Benchmark
    public double vector(Words work) {
        work.words++;
        return vectorModel.lastLogits(batch)[0];
    }

    @Benchmark
    public double scalarBinary64(Words work) {
        work.words++;
        return exactModel.lastLogits(batch)[0];
    }
}
