package org.lemmata.construct.depth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.construct.Construction;
import org.lemmata.construct.Construction.Demand;
import org.lemmata.construct.UnmetDemandException;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.Decoding;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.Generation;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.Parameters;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.model.Transformer;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.NumberFormat;
import org.lemmata.number.Rounding;
import org.lemmata.number.ThresholdFormat;
import org.lemmata.oracle.EnumeratedDyckWords;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.token.Batch;
import org.lemmata.token.Vocabulary;

class DyckCompleterTest {

    private static DyckCompleterByPositionSums completer(String word, double gamma) {
        return new DyckCompleterByPositionSums(DyckWords.BRACKETS, DyckWords.ids(word), gamma);
    }

    private static List<int[]> words(int pairs) {
        return EnumeratedDyckWords.words(pairs, 1, pairs).stream()
                .map(DyckWords::ids)
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "''; -0.5; -9; word: expected an even number of brackets, at least 2, got 0",
                "(; -0.5; -9; word: expected an even number of brackets, at least 2, got 1",
                "(((); -0.5; -99; word: expected a balanced word, got 2 brackets left open",
                "())(; -0.5; -99; word: expected a balanced word, got ')' at position 3 with nothing open",
                "(()); 0; -9; gamma: expected a finite number other than 0, got 0.0",
                "(()); NaN; -9; gamma: expected a finite number other than 0, got NaN",
                "(()); -Infinity; -9; gamma: expected a finite number other than 0, got -Infinity",
                "(()); -0.5; 9; v: expected v * gamma above N^2 = 4 (theorem 4.1), got v = 9.0 with gamma = -0.5",
                "(()); 0.5; -9; v: expected v * gamma above N^2 = 4 (theorem 4.1), got v = -9.0 with gamma = 0.5",
                "(()); -0.5; -8; v: expected v * gamma above N^2 = 4 (theorem 4.1), got v = -8.0 with gamma = -0.5",
                "(()); -0.5; NaN; v: expected v * gamma above N^2 = 4 (theorem 4.1), got v = NaN with gamma = -0.5",
                "(()); -0.5; -Infinity; v: expected v * gamma above N^2 = 4 (theorem 4.1), got v = -Infinity with"
                        + " gamma = -0.5"
            })
    void whatTheorem41DoesNotSpeakOfIsRefused(String word, double gamma, double v, String message) {
        assertRefused(
                () -> new DyckCompleterByPositionSums(DyckWords.BRACKETS, DyckWords.ids(word), gamma, v), message);
    }

    @Test
    void whatClaim53DoesNotSpeakOfIsRefused() {
        assertRefused(() -> new DyckCompleterWithoutPositions(DyckWords.BRACKETS, 0), "N: expected at least 1, got 0");
        for (double v : new double[] {0, 1, Double.NaN, Double.NEGATIVE_INFINITY}) {
            assertRefused(
                    () -> new DyckCompleterWithoutPositions(DyckWords.BRACKETS, 2, v),
                    "v: expected a number below 0, got " + v);
        }
        assertRefused(
                () -> new DyckCompleterWithoutPositions(new Vocabulary(List.of(")", "(")), 2),
                "vocabulary: expected ( and ), in this order, got ) (");
    }

    /**
     * The stack difference is even, so every gamma in (-2, 0) gives the right sign, whether or not it is a binary
     * fraction.
     */
    @ParameterizedTest
    @ValueSource(doubles = {-0.5, -1, -1.5, -0.0625, -1.9375, -0.3, -0.1, -1.7, -1.99, -1e-3, -0x1p-30, -2 + 0x1p-20})
    void everyPrefixIsCompletedToAWordForGammaBetweenMinusTwoAndZero(double gamma) {
        for (int pairs = 1; pairs <= 4; pairs++) {
            for (int[] word : words(pairs)) {
                double v = (pairs * pairs + 1) / gamma;
                LanguageModel model =
                        new DyckCompleterByPositionSums(DyckWords.BRACKETS, word, gamma, v).model(Kernels.best());
                for (Generation generation : completions(model, pairs)) {
                    assertThat(DyckWords.isBalanced(generation.tokens()))
                            .as(
                                    "gamma %s, word %s, prefix %s",
                                    gamma, DyckWords.text(word), DyckWords.text(generation.prefix()))
                            .isTrue();
                }
            }
        }
    }

    private static List<Generation> completions(LanguageModel model, int pairs) {
        List<int[]> prefixes = new ArrayList<>();
        for (int bits = 0; bits < 1 << (2 * pairs - 1); bits++) {
            for (int length = 1; length < 2 * pairs; length++) {
                int[] ids = DyckWords.ids(bits, length);
                if (bits < 1 << length && DyckWords.isPrefix(ids, pairs)) {
                    prefixes.add(ids);
                }
            }
        }
        return Generation.complete(model, prefixes, 2 * pairs, new Decoding.Greedy());
    }

    /** The greedy choice after every prefix of every word of D_2N: X above 0. */
    private static List<Boolean> choices(LanguageModel model, int pairs) {
        double[] logits = model.logits(Batch.of(words(pairs)));
        List<Boolean> choices = new ArrayList<>();
        for (int row = 0; row < logits.length / 2; row++) {
            if (row % (2 * pairs) != 2 * pairs - 1) { // after the last token nothing is chosen
                choices.add(logits[2 * row] > logits[2 * row + 1]);
            }
        }
        return choices;
    }

    /** The model in a format of {@code p} bits, whether or not the format meets the demand. */
    static Transformer rounded(Construction construction, int p, boolean sums) {
        Rounding rounding = Rounding.toNearestEven(new FloatFormat("p" + p, p, -126, 127));
        ExactParameters exact = construction.build();
        float[] values = new float[exact.values().length];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) rounding.round(exact.values()[i]);
        }
        return new Transformer(
                new Parameters(exact.architecture(), values),
                sums ? PrecisionPolicy.everything(rounding) : PrecisionPolicy.tensors(rounding),
                Kernels.best());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void theBitsDemandedAreEnoughForEveryChoice(int pairs) {
        boolean fewerFail = false;
        for (int[] word : words(pairs)) {
            for (double gamma : new double[] {-0.5, -1, -0.75, 0.5}) {
                double v = Math.signum(gamma) * (2 * pairs * pairs + 1);
                if (!(v * gamma > pairs * pairs)) {
                    continue;
                }
                var construction = new DyckCompleterByPositionSums(DyckWords.BRACKETS, word, gamma, v);
                List<Boolean> expected = choices(new ReferenceTransformer(construction.build()), pairs);
                Demand demand = construction.demand();
                for (boolean sums : new boolean[] {false, true}) {
                    int demanded = sums ? demand.sumBits() : demand.tensorBits();
                    int minimum = 25;
                    for (int p = 2; p <= 24; p++) {
                        boolean same =
                                choices(rounded(construction, p, sums), pairs).equals(expected);
                        minimum = same ? Math.min(minimum, p) : 25;
                        assertThat(same || p < demanded)
                                .as(
                                        "word %s, gamma %s, sums %s, %d bits of %d",
                                        DyckWords.text(word), gamma, sums, p, demanded)
                                .isTrue();
                        fewerFail |= !same;
                    }
                    assertThat(minimum).isLessThanOrEqualTo(demanded);
                }
            }
        }
        assertThat(fewerFail).as("some p fails for N = %d", pairs).isEqualTo(pairs > 2);
    }

    private static final String OF_200 = "format: expected at least 26 significand bits for the partial sum v (E"
            + " + B) = -80001 * -400.5 = 32040400.5, where sums run, got ";

    @Test
    void formatsThatCannotHoldTheConstructionAreRefused() {
        assertTooNarrow(
                completer("()".repeat(16), -0.5),
                FloatFormat.BFLOAT16,
                false,
                "format: expected at least 11 significand bits for the value v (E + B) = -513 * 1.5 = -769.5, got"
                        + " bfloat16 with 8; nearest representable: v=-520");
        assertTooNarrow(
                completer("()".repeat(16), -0.5),
                FloatFormat.BINARY16,
                true,
                "format: expected at least 16 significand bits for the partial sum v (E + B) = -513 * -32.5 ="
                        + " 16672.5, where sums run, got binary16 with 11; nearest representable: v=-544");
        assertTooNarrow(
                completer("()".repeat(200), -0.5),
                FloatFormat.BINARY32,
                true,
                OF_200 + "binary32 with 24; nearest representable: v=-80004");
        assertTooNarrow(
                completer("()".repeat(200), -0.5),
                FloatFormat.BINARY32,
                false,
                OF_200 + "binary32 with 24; nearest representable: v=-80004");
        assertTooNarrow(
                completer("()".repeat(200), -0.5),
                new ThresholdFormat(3),
                true,
                OF_200 + "threshold(3) with 24; nearest representable: v=-80004");
        assertTooNarrow(
                completer("()(())()", -0.25),
                new ThresholdFormat(2),
                false,
                "format: expected a format with magnitudes from 0.25 to 536.25, got threshold(2) with "
                        + Math.nextUp(0.25) + " to 1.7976931348623157E308");
        assertTooNarrow(
                new DyckCompleterWithoutPositions(DyckWords.BRACKETS, 2),
                FloatFormat.BINARY32,
                false,
                "format: expected at least 53 significand bits for the embedding, 1 - 1/5, got binary32 with 24");
        assertThat(completer("()".repeat(200), -0.5).model(Kernels.best())).isInstanceOf(ReferenceTransformer.class);
        assertThat(completer("()".repeat(16), -0.5).model(Kernels.best())).isInstanceOf(Transformer.class);
        assertThat(completer("()".repeat(16), -0.5).model(Rounding.toNearestEven(FloatFormat.BINARY64), true))
                .isInstanceOf(ReferenceTransformer.class);
    }

    @Test
    void formatsThatEndTooEarlyAreRefused() {
        var construction = new DyckCompleterByPositionSums(DyckWords.BRACKETS, DyckWords.ids("(())"), -0.5, -0x1p14);
        assertTooNarrow(
                construction,
                FloatFormat.BINARY16,
                false,
                "format: expected a format with magnitudes from 0.5 to 73728.0, got binary16 with 6.103515625E-5 to"
                        + " 65504.0; nearest representable: v=-14528");
    }

    /** The nearest v of 8 bits is millions of steps away, and steps of 1 do not change 1e17. */
    @Test
    @Timeout(60)
    void theSearchForTheNearestVEnds() {
        for (double v : new double[] {-1e9, -1e17}) {
            var construction = new DyckCompleterByPositionSums(DyckWords.BRACKETS, DyckWords.ids("()"), -0.5, v);
            assertThatThrownBy(() -> construction.model(Rounding.toNearestEven(FloatFormat.BFLOAT16), false))
                    .isInstanceOf(UnmetDemandException.class)
                    .hasMessageEndingWith("got bfloat16 with 8");
        }
    }

    /** Here 1 + gamma is 1 in binary64, so the training word would be lost. */
    @Test
    void aGammaThatBinary64CannotTellFromNoneIsRefused() {
        for (double gamma : new double[] {-0x1p-60, 0x1p-60, -1e-17}) {
            var construction =
                    new DyckCompleterByPositionSums(DyckWords.BRACKETS, DyckWords.ids("()()"), gamma, 8 / gamma);
            assertThatThrownBy(() -> construction.model(Kernels.best()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageMatching(
                            "format: expected at least 6\\d significand bits for positions, of gamma = .*, got"
                                    + " binary64 with 53");
        }
    }

    private static void assertTooNarrow(Construction construction, NumberFormat format, boolean sums, String message) {
        assertRefused(() -> construction.model(Rounding.toNearestEven(format), sums), message);
    }

    @ParameterizedTest
    @CsvSource({"-0.5, -73", "0.5, 73", "-1, -37", "-0.3, -121", "-1.9, -19", "4, 10"})
    void withoutVTheLeastIntegerPastTheBoundIsTaken(double gamma, double v) {
        assertThat(new DyckCompleterByPositionSums(DyckWords.BRACKETS, DyckWords.ids("(()())()(())"), gamma).v())
                .isEqualTo(v);
    }
}
