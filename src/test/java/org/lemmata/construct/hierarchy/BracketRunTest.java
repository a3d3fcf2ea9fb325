package org.lemmata.construct.hierarchy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.construct.Constructions;
import org.lemmata.construct.ModelRun;
import org.lemmata.construct.UnmetDemandException;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.model.Transformer;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;

/** The answers of constructions to input lines, and the formats that they reject. */
class BracketRunTest {

    private static ModelRun run(String name, Map<String, String> settings) {
        return (ModelRun) Constructions.CATALOGUE.entry(name).create(settings);
    }

    private static double number(Map<?, ?> answer, String name) {
        return (double) Objects.requireNonNull(answer.get(name));
    }

    private static Map<String, Object> answer(String name, Map<String, String> settings, String line) {
        ModelRun run = run(name, settings);
        return run.answer(run.construction().model(Kernels.scalar()), line);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "dyck-recognizer; ; true",
                "dyck-recognizer; (1 (2 )2 )1; true",
                "dyck-recognizer; (1 (2 )1 )2; false",
                "shuffle-dyck-recognizer; (1 (2 )1 )2; true",
                "shuffle-dyck-recognizer; (1 )2; false",
                "dyck-recognizer-without-start; (1 )1 (2 )2; true",
                "dyck-recognizer-without-start; (1 )2; false"
            })
    void recognizersAnswerMemberAndScore(String name, String line, boolean member) {
        Map<String, Object> answer = answer(name, Map.of("maxLength", "10"), line == null ? "" : line);
        assertThat(answer).containsOnlyKeys("member", "score").containsEntry("member", member);
        assertThat(number(answer, "score") > 0).isEqualTo(member);
    }

    @ParameterizedTest
    @CsvSource({"dyck-generator", "shuffle-dyck-generator", "dyck-generator-without-start"})
    void generatorsAnswerTheProbabilitiesOfAllTokens(String name) {
        Map<String, Object> answer = answer(name, Map.of("k", "1", "q", "0.4", "maxLength", "6"), "()(");
        assertThat(answer).containsOnlyKeys("next");
        Map<?, ?> next = (Map<?, ?>) Objects.requireNonNull(answer.get("next"));
        assertThat(next.keySet().toString()).isEqualTo("[(1, )1, <bos>, <eos>]");
        assertThat(number(next, "(1")).isCloseTo(0.4, within(1e-3));
        assertThat(number(next, ")1")).isCloseTo(0.6, within(1e-3));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "dyck-recognizer; (1 (1 )1 )1 (1; input: expected at most 4 brackets, got 5",
                "dyck-recognizer; (1 [; position 2: expected a bracket, (1 to (2 or )1 to )2, got '['",
                "dyck-generator; (1 )2; input: expected the beginning of a word of Dyck, got (1 )2",
                "dyck-generator-without-start; (1 (1; input: expected two different brackets at the beginning, got (1"
                        + " (1"
            })
    void whatIsNotPromisedIsRefused(String name, String line, String message) {
        assertRefused(() -> answer(name, Map.of("maxLength", "4"), line), message);
    }

    /** A depth of half the length suffices for all words; with less, deeper words are rejected. */
    @Test
    void deeperWordsAreRefusedOnlyWhereTheyCouldBeWords() {
        String deep = "(1 (1 (1 (1";
        assertThat(answer("dyck-recognizer", Map.of("maxLength", "6"), deep)).containsEntry("member", false);
        assertThat(answer("dyck-recognizer", Map.of("maxLength", "7", "maxDepth", "3"), deep))
                .containsEntry("member", false);
        assertThatThrownBy(() -> answer("dyck-recognizer", Map.of("maxLength", "8", "maxDepth", "3"), deep))
                .hasMessage("input: expected a depth of at most 3, got 4");
    }

    /** log2(700 * 350 * 349) + 5 = 31.3: more than binary32 has. */
    @Test
    void formatsWithTooFewBitsAreRefusedAndBinary64IsTaken() {
        ModelRun run = run("dyck-recognizer", Map.of("maxLength", "700"));
        assertThat(run.construction().demand().tensorBits()).isEqualTo(32);
        assertThat(run.construction().model(Kernels.scalar())).isInstanceOf(ReferenceTransformer.class);
        PrecisionPolicy binary32 = PrecisionPolicy.tensors(Rounding.toNearestEven(FloatFormat.BINARY32));
        assertThatThrownBy(() -> run.construction().model(binary32, Kernels.scalar()))
                .isInstanceOf(UnmetDemandException.class)
                .hasMessage("format: expected at least 32 significand bits for scores at length 700, depth 350, got"
                        + " binary32 with 24; nearest representable: maxLength=79");
        ModelRun shallow = run("dyck-recognizer", Map.of("maxLength", "700", "maxDepth", "8"));
        LanguageModel model = shallow.construction().model(binary32, Kernels.scalar());
        assertThat(model).isInstanceOf(Transformer.class);
        assertThat(shallow.answer(model, "(1 (2 )2 )1")).containsEntry("member", true);
    }

    /** Rounding changes the ramps of appendix O, whose factor grows with the bits of a type's code. */
    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024})
    void theDemandCoversTheRecoveryOfCodes(int types) {
        for (String length : List.of("2", "5")) {
            ModelRun run = run("dyck-recognizer", Map.of("k", String.valueOf(types), "maxLength", length));
            for (int bits = run.construction().demand().tensorBits(); bits <= 13; bits++) {
                var format = new FloatFormat("p = " + bits, bits, -126, 127);
                LanguageModel model = run.construction().model(Rounding.toNearestEven(format), false);
                assertThat(run.answer(model, "(1 )1")).as(format.name()).containsEntry("member", true);
                assertThat(run.answer(model, "(1 )2")).as(format.name()).containsEntry("member", false);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "4, 5", "3, 0"})
    void constantsOfNoLengthOrDepthAreRefused(int length, int depth) {
        assertThatThrownBy(() -> DyckConstants.of(length, depth)).isInstanceOf(IllegalArgumentException.class);
    }
}
