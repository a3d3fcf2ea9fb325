package org.lemmata.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.Threads;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.kernel.attention.VectorAttention;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.model.precision.PrecisionSite;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.token.Batch;

class IncrementalForwardTest {

    static Stream<ModelCase> exactCases() {
        return Stream.concat(ModelCase.alone(), ModelCase.drawn(60))
                .filter(model -> IncrementalForward.isExact(new Transformer(model.parameters(), Kernels.best())));
    }

    /** Prefixes of all lengths from 1 on, then single tokens; the sequences end at different steps. */
    @ParameterizedTest
    @MethodSource("exactCases")
    void outputsHaveTheBitsOfTheForwardPass(ModelCase model) {
        for (Kernels kernels : List.of(Kernels.scalar(), Kernels.best())) {
            check(model, new Transformer(model.parameters(), kernels));
        }
    }

    private static void check(ModelCase model, Transformer transformer) {
        Random random = new Random(model.seed());
        int maxLength = model.architecture().maxLength();
        List<int[]> sequences = IntStream.of(maxLength, 1, 7, maxLength, 16, 2)
                .mapToObj(length -> model.sequence(length, random))
                .toList();
        int[] prefixLengths = {1, 1, 7, maxLength, 3, 1};
        var forward = new IncrementalForward(transformer, 6, maxLength);
        int[] numbers = {5, 4, 3, 2, 1, 0};
        List<int[]> prefixes = IntStream.range(0, 6)
                .mapToObj(i -> Arrays.copyOf(sequences.get(i), prefixLengths[i]))
                .toList();
        boolean knowsTheEnd = model.architecture().attention().logLength() == LogLength.SEQUENCE;
        float[][] expected = sequences.stream()
                .map(sequence -> knowsTheEnd ? ofPrefixes(transformer, sequence) : forward(transformer, sequence))
                .toArray(float[][]::new);
        int[] active = IntStream.range(0, 6).toArray();
        float[] outputs = forward.appendPrefixes(numbers, prefixes);
        for (int extra = 0; active.length > 0; extra++) {
            for (int r = 0; r < active.length; r++) {
                int i = active[r];
                int last = prefixLengths[i] + extra - 1;
                int columns = forward.outputs();
                assertThat(forward.length(numbers[i])).isEqualTo(last + 1);
                assertThat(Arrays.copyOfRange(outputs, r * columns, (r + 1) * columns))
                        .as("%s: sequence %d, token %d", model, i, last)
                        .isEqualTo(Arrays.copyOfRange(expected[i], last * columns, (last + 1) * columns));
            }
            int more = extra + 1;
            active = Arrays.stream(active)
                    .filter(i -> prefixLengths[i] + more <= sequences.get(i).length)
                    .toArray();
            outputs = forward.append(
                    Arrays.stream(active).map(i -> numbers[i]).toArray(),
                    Arrays.stream(active)
                            .map(i -> sequences.get(i)[prefixLengths[i] + more - 1])
                            .toArray());
        }
    }

    private static float[] forward(Transformer transformer, int[] sequence) {
        return transformer.forward(Batch.of(List.of(sequence)));
    }

    /** The last row of each prefix. */
    private static float[] ofPrefixes(Transformer transformer, int[] sequence) {
        int columns = transformer.architecture().outputs();
        float[] rows = new float[sequence.length * columns];
        for (int t = 0; t < sequence.length; t++) {
            float[] prefix = forward(transformer, Arrays.copyOf(sequence, t + 1));
            System.arraycopy(prefix, t * columns, rows, t * columns, columns);
        }
        return rows;
    }

    /** Large enough that several threads share the work. */
    @Test
    void everyNumberOfThreadsHasTheSameBits() {
        var model = new ModelCase("large", 3, Architecture.gpt2(5, 300, 96, 2, 3, 200, 0));
        List<int[]> prefixes = IntStream.of(290, 40, 128)
                .mapToObj(length -> model.sequence(length, new Random(length)))
                .toList();
        float[] expected = append(model, Kernels.best(), prefixes);
        Threads.assertBits(List.of(expected), workers -> List.of(append(model, Kernels.best(workers), prefixes)));
    }

    private static float[] append(ModelCase model, Kernels kernels, List<int[]> prefixes) {
        var forward = new IncrementalForward(new Transformer(model.parameters(), kernels), 3, 300);
        int[] numbers = {0, 1, 2};
        forward.appendPrefixes(numbers, prefixes);
        return forward.append(numbers, new int[] {1, 2, 3}).clone();
    }

    /** More tokens than one forward pass reads. */
    @Test
    void manyPrefixesAreReadInParts() {
        var model = new ModelCase("long", 4, Architecture.gpt2(3, 3000, 8, 1, 1, 16, 0));
        var transformer = new Transformer(model.parameters(), Kernels.best());
        List<int[]> prefixes = IntStream.of(3000, 2900, 2800, 9, 3000, 2990)
                .mapToObj(length -> model.sequence(length, new Random(length)))
                .toList();
        var forward = new IncrementalForward(transformer, 6, 3000);
        float[] outputs = forward.appendPrefixes(new int[] {0, 1, 2, 3, 4, 5}, prefixes);
        for (int i = 0; i < 6; i++) {
            float[] all = transformer.forward(Batch.of(List.of(prefixes.get(i))));
            assertThat(Arrays.copyOfRange(outputs, 3 * i, 3 * i + 3))
                    .as("prefix %d", i)
                    .isEqualTo(Arrays.copyOfRange(all, all.length - 3, all.length));
        }
    }

    @Test
    void aSequenceMayGoBack() {
        ModelCase model = ModelCase.named("GPT-2");
        var transformer = new Transformer(model.parameters(), Kernels.best());
        var forward = new IncrementalForward(transformer, 2, 8);
        forward.appendPrefixes(new int[] {1, 0}, List.of(new int[] {1, 2, 3, 4}, new int[] {5}));
        forward.append(new int[] {0, 1}, new int[] {6, 0});
        forward.truncate(1, 2);
        float[] outputs = forward.append(new int[] {1}, new int[] {5});
        float[] all = transformer.forward(Batch.of(List.of(new int[] {1, 2, 5})));
        assertThat(Arrays.copyOf(outputs, 7)).isEqualTo(Arrays.copyOfRange(all, 14, 21));
        assertThat(forward.length(0)).isEqualTo(2);
    }

    @Test
    void onlyCausalModelsThatRoundNothingAreExact() {
        var random = new Random(1);
        Architecture causal = Architecture.uniformHead(3, 4, 2, true);
        Parameters parameters = Parameters.normal(causal, 1, random);
        assertThat(Stream.of(
                        new Transformer(parameters, Kernels.best()),
                        new Transformer(parameters, Kernels.scalar()),
                        new Transformer(parameters, PrecisionPolicy.none(), Kernels.best())))
                .allMatch(IncrementalForward::isExact);
        var logits = PrecisionPolicy.only(PrecisionSite.LOGITS, Rounding.toNearestEven(FloatFormat.BFLOAT16));
        var rounded = new Transformer(parameters, logits, Kernels.best());
        Kernels mixed = Kernels.scalar().withAttention(new VectorAttention(Workers.caller()));
        Architecture open = causal.withAttention(causal.attention().withMask(Mask.NONE));
        assertThat(Stream.of(
                        new ReferenceTransformer(parameters.widen()),
                        rounded,
                        new Transformer(parameters, mixed),
                        new Transformer(Parameters.normal(open, 1, random), Kernels.best())))
                .noneMatch(IncrementalForward::isExact);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new IncrementalForward(rounded, 1, 1))
                .withMessageStartingWith(
                        "model: expected one with a causal mask that rounds nothing, and several layers"
                                + " only without logLength SEQUENCE, got ");
    }

    @Test
    void theLogarithmOfTheWholeLengthIsExactInOneLayerOnly() {
        Architecture decoder = Architecture.gpt2(3, 4, 2, 1, 1, 2, 0);
        Architecture one = decoder.withAttention(decoder.attention().withScores(1, LogLength.SEQUENCE, 0));
        Architecture two = one.withLayers(2);
        Architecture seen = two.withAttention(two.attention().withScores(1, LogLength.SEEN, 0));
        assertThat(Stream.of(one, two, seen)
                        .map(of -> new Transformer(Parameters.normal(of, 1, new Random(1)), Kernels.best()))
                        .map(IncrementalForward::isExact))
                .containsExactly(true, false, true);
    }

    @Test
    void whatDoesNotFitIsRefusedAndNothingIsAppended() {
        Architecture architecture = Architecture.uniformHead(3, 5, 2, true);
        var transformer = new Transformer(Parameters.normal(architecture, 1, new Random(1)), Kernels.best());
        assertRefused(() -> new IncrementalForward(transformer, 2, 6), "capacity: expected 1 to 5, got 6");
        assertRefused(() -> new IncrementalForward(transformer, 2, 0), "capacity: expected 1 to 5, got 0");
        var forward = new IncrementalForward(transformer, 3, 4);
        int[] two = {0, 1};
        assertRefused(
                () -> forward.appendPrefixes(two, List.of(new int[1], new int[5])),
                "prefixes: expected 1 to 4 tokens, got 5 at 1");
        assertRefused(
                () -> forward.appendPrefixes(two, List.of(new int[0], new int[1])),
                "prefixes: expected 1 to 4 tokens, got 0 at 0");
        assertRefused(
                () -> forward.appendPrefixes(two, List.of(new int[1], new int[] {3})),
                "tokens: expected 0 to 2, got 3");
        assertRefused(
                () -> forward.appendPrefixes(new int[] {1, 1}, List.of(new int[1], new int[1])),
                "numbers: expected different ones below 3, got [1, 1]");
        assertRefused(() -> forward.appendPrefixes(two, List.of(new int[1])), "numbers: expected 1, got 2");
        assertThat(List.of(forward.length(0), forward.length(1))).containsExactly(0, 0);
        forward.appendPrefixes(two, List.of(new int[4], new int[2]));
        assertRefused(
                () -> forward.appendPrefixes(new int[] {2, 1}, List.of(new int[1], new int[1])),
                "numbers: expected empty sequences, got 1 of 2 tokens");
        assertRefused(
                () -> forward.append(new int[] {1, 0}, new int[2]),
                "numbers: expected sequences of fewer than 4 tokens, got 0, which is full");
        assertRefused(() -> forward.append(new int[] {1}, new int[] {-1}), "tokens: expected 0 to 2, got -1");
        assertRefused(
                () -> forward.append(new int[] {3}, new int[] {1}),
                "numbers: expected different ones below 3, got [3]");
        assertThat(List.of(forward.length(0), forward.length(1), forward.length(2)))
                .containsExactly(4, 2, 0);
    }
}
