package org.lemmata.task.depth.logic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.Refusals.assertRefused;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class BooleanLanguageTest {

    private static final BooleanLanguage LANGUAGE = new BooleanLanguage(4);

    static List<JsonNode> examples() {
        return GeneratorVectors.list("examples");
    }

    static List<JsonNode> paperExamples() {
        return GeneratorVectors.list("paper_examples");
    }

    @ParameterizedTest
    @MethodSource("examples")
    void expressionsHaveTheTablesDepthsAndLeavesOfTheVectors(JsonNode example) {
        int[] ids = ExpressionText.ids(LANGUAGE, example.get("expr").asText());
        assertThat(LANGUAGE.evaluate(ids))
                .hasToString(example.get("truth_mask_hex").asText());
        assertThat(LANGUAGE.nesting(ids)).isEqualTo(example.get("depth").asInt());
        assertThat(LANGUAGE.leaves(ids)).isEqualTo(example.get("leaves").asInt());
        assertThat(LANGUAGE.text(ids)).isEqualTo(example.get("expr").asText());
        assertThat(ClauseStructure.reaches(
                        LANGUAGE,
                        true,
                        example.get("k").asInt(),
                        example.get("q").asInt(),
                        ids))
                .isTrue();
    }

    /** The paper's two examples, the second with its parentheses balanced, and their simplified forms. */
    @ParameterizedTest
    @MethodSource("paperExamples")
    void expressionsOfThePaperHaveItsSimplifiedForms(JsonNode example) {
        TruthTable table = ExpressionText.evaluate(LANGUAGE, example.get("expr").asText());
        String simplified = example.get("simplified").asText();
        assertThat(ExpressionText.evaluate(LANGUAGE, simplified)).isEqualTo(table);
        for (AnswerForm form : AnswerForm.values()) {
            assertThat(LANGUAGE.text(new Simplification(LANGUAGE, form).simplified(table)))
                    .as("%s", form)
                    .isEqualTo(simplified);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "p0|p1&p2; p0|(p1&p2)",
                "p0&p1|p2; (p0&p1)|p2",
                "p0&p1|p2&p3; (p0&p1)|(p2&p3)",
                "p0|p1&p2|p3; (p0|(p1&p2))|p3",
                "~p0&p1; (~p0)&p1",
                "~p0|p1; (~p0)|p1",
                "~(p0|p1); ~p0&~p1",
                "~(p0|p1)&p2; (~p0&~p1)&p2",
                "~~~p0; ~p0",
                "((p0)); p0",
                "~((~p0)); p0",
                "' ¬ p0 & true '; ~p0",
                "false|p3; p3",
            })
    void negationBindsTighterThanAndThanOr(String expression, String same) {
        assertThat(ExpressionText.evaluate(LANGUAGE, expression)).isEqualTo(ExpressionText.evaluate(LANGUAGE, same));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "''; position 1: expected a variable, true, false, ~ or (, got the end",
                "p0&; position 3: expected a variable, true, false, ~ or (, got the end",
                "p0&&p1; position 3: expected a variable, true, false, ~ or (, got '&'",
                "p0 p1; position 2: expected &, | or the end, got 'p1'",
                "p0~p1; position 2: expected &, | or the end, got '~'",
                "(p0; position 3: expected &, | or ), got the end",
                "(p0 p1); position 3: expected &, | or ), got 'p1'",
                "p0); position 2: expected &, | or the end, got ')'",
                "(); position 2: expected a variable, true, false, ~ or (, got ')'",
                "p0=p1; position 2: expected &, | or the end, got '='",
                "<start>p0; position 1: expected a variable, true, false, ~ or (, got '<start>'",
            })
    void whatIsNoExpressionIsRefusedInOneLine(String text, String message) {
        assertRefused(() -> ExpressionText.evaluate(LANGUAGE, text), message);
    }

    @Test
    void idsAreRefusedByTheirPlaceInTokens() {
        assertRefused(
                () -> LANGUAGE.evaluate(ExpressionText.ids(LANGUAGE, "false & true true")),
                "position 4: expected &, | or the end, got 'true'");
        assertRefused(
                () -> LANGUAGE.evaluate(99), "position 1: expected a variable, true, false, ~ or (, got the id 99");
        assertRefused(() -> LANGUAGE.isBeginning(0, 14), "position 2: expected an id from 0 to 13, got 14");
    }

    @Test
    void nestingIsNoMatterOfTheStack() {
        int depth = 200_000;
        int[] ids = ExpressionText.ids(LANGUAGE, "(".repeat(depth) + "~p1" + ")".repeat(depth));
        assertThat(LANGUAGE.evaluate(ids)).isEqualTo(ExpressionText.evaluate(LANGUAGE, "~p1"));
        assertThat(LANGUAGE.nesting(ids)).isEqualTo(depth);
    }

    /** Every beginning, extended by every possible token, can be completed to an expression. */
    @Test
    void beginningsAreWhatCanBecomeExpressions() {
        var random = new Random(6);
        for (int round = 0; round < 2000; round++) {
            int[] ids = random.ints(random.nextInt(1, 7), 0, 14).toArray();
            boolean completed = completions(ids);
            assertThat(LANGUAGE.isBeginning(ids)).as(LANGUAGE.text(ids)).isEqualTo(completed);
        }
    }

    /** Whether at most one operand and up to six ) complete it to an expression. */
    private static boolean completions(int[] ids) {
        for (int close = 0; close <= 6; close++) {
            for (int operand = 0; operand <= 1; operand++) {
                IntStream rest = IntStream.concat(
                        IntStream.generate(() -> 0).limit(operand),
                        IntStream.generate(LANGUAGE::close).limit(close));
                try {
                    LANGUAGE.evaluate(IntStream.concat(IntStream.of(ids), rest).toArray());
                    return true;
                } catch (IllegalArgumentException e) {
                    // the next one
                }
            }
        }
        return false;
    }

    @Test
    void theVocabularyIsThatOfThePaper() {
        assertThat(LANGUAGE.vocabulary().symbols())
                .containsExactly(
                        "p0", "p1", "p2", "p3", "<start>", "<end>", "&", "|", "~", "=", "false", "true", "(", ")");
        assertThat(new BooleanLanguage(8).vocabulary().size()).isEqualTo(18);
        for (int variables = 1; variables <= 8; variables++) {
            var language = new BooleanLanguage(variables);
            assertThat(language.text(
                            language.start(),
                            language.not(),
                            language.variable(variables - 1),
                            language.and(),
                            language.open(),
                            language.constant(true),
                            language.or(),
                            language.constant(false),
                            language.close(),
                            language.equalSign(),
                            language.end()))
                    .isEqualTo("<start>~p" + (variables - 1) + "&(true|false)=<end>");
        }
    }

    private static TruthTable random(int variables, Random random) {
        long[] words = random.longs(TruthTable.wordCount(variables)).toArray();
        words[0] &= TruthTable.wordMask(variables);
        return TruthTable.of(variables, words);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void operationsAreThoseOfEveryBit(int variables) {
        var random = new Random(variables);
        TruthTable f = random(variables, random);
        TruthTable g = random(variables, random);
        int ones = 0;
        for (int a = 0; a < 1 << variables; a++) {
            assertThat(f.and(g).value(a)).isEqualTo(f.value(a) && g.value(a));
            assertThat(f.or(g).value(a)).isEqualTo(f.value(a) || g.value(a));
            assertThat(f.not().value(a)).isEqualTo(!f.value(a));
            assertThat(TruthTable.constant(variables, true).value(a)).isTrue();
            assertThat(TruthTable.constant(variables, false).value(a)).isFalse();
            for (int i = 0; i < variables; i++) {
                assertThat(TruthTable.variable(variables, i).value(a)).isEqualTo((a >> i & 1) == 1);
            }
            ones += f.value(a) ? 1 : 0;
        }
        assertThat(f.ones()).isEqualTo(ones);
        assertThat(f.not().not()).isEqualTo(f).hasSameHashCodeAs(f).isNotEqualTo(f.not());
        assertThat(TruthTable.of(variables, f.words())).isEqualTo(f);
        assertThat(TruthTable.constant(variables, true).ones()).isEqualTo(1 << variables);
    }

    @Test
    void theBitsAreWrittenAsTheyStand() {
        assertThat(TruthTable.variable(4, 2)).hasToString("f0f0");
        assertThat(TruthTable.variable(2, 0)).hasToString("a");
        assertThat(TruthTable.variable(1, 0)).hasToString("2");
        assertThat(TruthTable.variable(8, 7)).hasToString("f".repeat(32) + "0".repeat(32));
        assertThat(TruthTable.variable(7, 6)).hasToString("f".repeat(16) + "0".repeat(16));
    }

    @Test
    void essentialVariablesAreThoseThatMatter() {
        TruthTable xor = TruthTable.variable(8, 7)
                .and(TruthTable.variable(8, 2).not())
                .or(TruthTable.variable(8, 7).not().and(TruthTable.variable(8, 2)));
        assertThat(xor.essential()).containsExactly(2, 7);
        assertThat(xor.projected(2, 7)).hasToString("6");
        assertThat(xor.projected(0, 2, 7)).hasToString("3c");
        assertThat(TruthTable.constant(8, true).essential()).isEmpty();
    }

    @Test
    void misuseIsRefused() {
        assertRefused(() -> TruthTable.constant(9, true), "variables: expected 1 to 8, got 9");
        assertRefused(() -> TruthTable.of(3, 0x100), "words: expected no bit at or beyond 8, got 0x100");
        assertRefused(() -> TruthTable.of(7, 1), "words: expected 2 longs for 7 variables, got 1");
        assertRefused(() -> TruthTable.variable(3, 3), "variable: expected 0 to 2, got 3");
        assertRefused(
                () -> TruthTable.variable(3, 2).and(TruthTable.variable(4, 2)),
                "table: expected one of 3 variables, got one of 4");
    }
}
