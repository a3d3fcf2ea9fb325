package org.lemmata.claim.depth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.claim.Verdicts.assertOutcome;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.claim.Outcome;
import org.lemmata.construct.depth.DyckCompleterByLastOpener;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.Decoding;
import org.lemmata.model.Generation;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.Parameters;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.model.Transformer;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.task.depth.TypedBrackets;
import org.lemmata.token.Batch;

class SeveralTypesTest {

    private static DyckCompleterByLastOpener completer(String word, int types) {
        return new DyckCompleterByLastOpener(TypedBrackets.vocabulary(types), TypedBrackets.ids(word, types));
    }

    /** All partitions of {@code length} positions into classes, as restricted growth strings. */
    private static List<int[]> partitions(int length) {
        List<int[]> partitions = List.of(new int[0]);
        for (int i = 0; i < length; i++) {
            List<int[]> longer = new ArrayList<>();
            for (int[] partition : partitions) {
                int classes = Arrays.stream(partition).max().orElse(-1) + 1;
                for (int next = 0; next <= classes; next++) {
                    int[] one = Arrays.copyOf(partition, partition.length + 1);
                    one[partition.length] = next;
                    longer.add(one);
                }
            }
            partitions = longer;
        }
        return partitions;
    }

    private static int count(int[] classes) {
        return Arrays.stream(classes).max().orElse(-1) + 1;
    }

    /** All partitions: with fewer than N classes of positions, counts do not determine which bracket to close. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void fewerClassesOfPositionsThanPairsCollide(int pairs) {
        int tested = 0;
        for (int[] classes : partitions(2 * pairs - 1)) {
            if (count(Arrays.copyOf(classes, pairs)) < pairs) {
                tested++;
                assertThat(SeveralTypes.colliding(pairs, 2, position -> classes[position], 0))
                        .as("N = %d, classes %s", pairs, Arrays.toString(classes))
                        .isNotEmpty();
            }
        }
        assertThat(tested).isEqualTo(new int[] {0, 0, 2, 35, 736}[pairs]);
    }

    /** Even if the last w tokens are known, from N = 2 + ceil(w / 2) on; uniform attention has one class. */
    @ParameterizedTest
    @CsvSource({"2, 0, true", "3, 1, true", "3, 2, true", "4, 3, true", "4, 4, true", "2, 1, false", "3, 3, false"})
    void theLastTokensDoNotTellEither(int pairs, int window, boolean collide) {
        assertThat(SeveralTypes.colliding(pairs, 2, position -> 0, window).isEmpty())
                .isNotEqualTo(collide);
    }

    @Test
    void positionsThatAllDifferOrOneTypeDoNotCollide() {
        assertThat(SeveralTypes.colliding(4, 2, position -> position, 0)).isEmpty();
        assertThat(SeveralTypes.colliding(4, 1, position -> 0, 0)).isEmpty();
    }

    @Test
    void theFirstCollisionIsOfTwoBrackets() {
        List<int[]> first = SeveralTypes.colliding(2, 2, position -> 0, 0).getFirst();
        assertThat(first.stream().map(TypedBrackets::text)).containsExactlyInAnyOrder("(1 (2", "(2 (1");
    }

    /** Everything that the claim's argument uses: which bracket must close, and which token is at each position. */
    @ParameterizedTest
    @ValueSource(ints = {7, 8, 10})
    void theTwelvePrefixesHaveTheSameTokensAtEachPosition(int pairs) {
        List<int[]> prefixes = SeveralTypesByPosition.prefixes(pairs);
        List<int[]> exchanged = SeveralTypesByPosition.exchanged(pairs);
        assertThat(prefixes)
                .hasSize(6)
                .allSatisfy(prefix ->
                        assertThat(TypedBrackets.next(prefix, pairs, 2)).containsExactly(1));
        assertThat(exchanged)
                .hasSize(6)
                .allSatisfy(prefix ->
                        assertThat(TypedBrackets.next(prefix, pairs, 2)).containsExactly(3));
        for (int i = 0; i < prefixes.getFirst().length; i++) {
            int position = i;
            assertThat(prefixes.stream().map(prefix -> prefix[position]))
                    .as("position %d", i + 1)
                    .containsExactlyInAnyOrderElementsOf(
                            exchanged.stream().map(prefix -> prefix[position]).toList());
        }
    }

    @Test
    void attentionByContentRefutesTheClaimOnPositions() {
        assertOutcome(
                SeveralTypesByPosition.check(
                        7, List.of(completer("(1 )1 ".repeat(7), 2).model(Kernels.scalar()))),
                Outcome.REFUTED);
    }

    /** Attention by content distinguishes both prefixes, so it would refute the claim if it were uniform attention. */
    @Test
    void attentionByContentRefutesTheClaimOnUniformAttention() {
        assertOutcome(
                SeveralTypes.check(
                        List.of(2),
                        word -> List.of(new DyckCompleterByLastOpener(TypedBrackets.vocabulary(2), word)
                                .model(Kernels.scalar()))),
                Outcome.REFUTED);
    }

    @ParameterizedTest
    @EnumSource(
            value = ParameterRole.class,
            names = {"QUERY", "KEY", "VALUE", "SECOND", "FIRST_BIAS", "UNEMBEDDING"})
    void aCompleterWithOnePartScaledIsRefuted(ParameterRole role) {
        DoubleUnaryOperator change =
                role == ParameterRole.UNEMBEDDING || role == ParameterRole.VALUE ? x -> x / 8 : x -> -x;
        assertOutcome(
                SeveralTypesCompleter.check(
                        List.of(new SeveralTypesCompleter.Size(3, 2, 0, 0)),
                        construction -> MemorizationRefutationTest.changed(construction.build(), role, change)),
                Outcome.REFUTED);
    }

    /** Logits equal the formula of the construction, which is implemented again here. */
    @ParameterizedTest
    @CsvSource({"(1 )1, 1", "(2 (1 )1 )2, 2", "(1 )1 (2 (2 )2 (1 )1 )2, 2", "(3 (1 (2 )2 )1 )3 (2 )2, 3"})
    void logitsAreThoseOfTheFormula(String text, int types) {
        DyckCompleterByLastOpener construction = completer(text, types);
        int[] word = TypedBrackets.ids(text, types);
        int pairs = word.length / 2;
        for (LanguageModel model : List.of(
                new ReferenceTransformer(construction.build()),
                construction.model(Kernels.scalar()),
                construction.model(Kernels.best()))) {
            for (int r = 1; r < word.length; r++) {
                for (int[] prefix : TypedBrackets.prefixes(r, pairs, types)) {
                    double[] logits = model.logits(Batch.of(List.of(prefix)));
                    double next = TypedBrackets.isOpen(word[r]) ? 1 : -1;
                    double difference =
                            TypedBrackets.open(prefix).length - TypedBrackets.open(Arrays.copyOf(word, r)).length;
                    double x = -(2.0 * pairs * pairs + 1) / r * (difference - 0.5 * next);
                    int opened = TypedBrackets.isOpen(word[r]) ? TypedBrackets.type(word[r]) : 0;
                    int[] open = TypedBrackets.open(prefix);
                    for (int type = 0; type < types; type++) {
                        String what = model.getClass().getSimpleName() + " after " + TypedBrackets.text(prefix);
                        int row = (r - 1) * 2 * types + 2 * type;
                        assertThat(logits[row]).as(what).isCloseTo(x + (type == opened ? pairs : 0), within(1e-4));
                        if (open.length > 0) {
                            assertThat(logits[row + 1])
                                    .as(what)
                                    .isCloseTo(-x + (type == open[open.length - 1] ? pairs : 0), within(1e-4));
                        }
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        ''; word: expected an even number of brackets, at least 2, got 0
        (1 (2; word: expected a balanced word, got 2 brackets left open
        (1 )2; word: expected ')1' or an opening bracket at position 2, got ')2'
        (1 )1 )2 (2; word: expected a balanced word, got ')' at position 3 with nothing open
        """)
    void wordsThatAreNotBalancedByTypeAreRefused(String word, String message) {
        assertRefused(() -> completer(word, 2), message);
    }

    private static List<String> completions(LanguageModel model, List<int[]> prefixes, int pairs) {
        return Generation.complete(model, prefixes, 2 * pairs, new Decoding.Greedy()).stream()
                .map(generation -> TypedBrackets.text(generation.tokens()))
                .toList();
    }

    /** With tensors and sums rounded to the demanded bits, every choice after every prefix is correct. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void theBitsDemandedAreEnough(int pairs) {
        for (int[] word : TypedBrackets.words(pairs, 2)) {
            var construction = new DyckCompleterByLastOpener(TypedBrackets.vocabulary(2), word);
            List<int[]> prefixes = TypedBrackets.prefixes(pairs, pairs, 2);
            int bits = Math.max(
                    construction.demand().tensorBits(), construction.demand().sumBits());
            Rounding rounding = Rounding.toNearestEven(new FloatFormat("p" + bits, bits, -126, 127));
            Parameters parameters = construction.build().narrow(rounding);
            var rounded = new Transformer(parameters, PrecisionPolicy.everything(rounding), Kernels.best());
            assertThat(completions(rounded, prefixes, pairs))
                    .isEqualTo(completions(new ReferenceTransformer(construction.build()), prefixes, pairs));
        }
        assertThat(completer("(1 )1 ".repeat(16), 2).model(Kernels.best())).isInstanceOf(Transformer.class);
        assertThat(completer("(1 )1 ".repeat(32), 2).model(Kernels.best())).isInstanceOf(ReferenceTransformer.class);
    }

    @Test
    void bracketsMatchByType() {
        assertThat(Stream.of("(1 (2 )2 )1", " ", "(1 (2 )1 )2", "(1 (2 )2", ")1 (1")
                        .map(word -> TypedBrackets.isBalanced(TypedBrackets.ids(word, 2))))
                .containsExactly(true, true, false, false, false);
        assertThat(TypedBrackets.words(4, 2)).hasSize(14 * 16);
        int[] none = TypedBrackets.ids("(1 )1 )1", 2);
        assertRefused(() -> TypedBrackets.open(none), "position 3: expected an opening bracket, got )1");
        int[] other = TypedBrackets.ids("(1 (2 )1", 2);
        assertRefused(() -> TypedBrackets.open(other), "position 3: expected )2 or an opening bracket, got )1");
        assertRefused(() -> TypedBrackets.ids("(1 x", 2), "symbol: expected one of (1 )1 (2 )2, got 'x'");
    }
}
