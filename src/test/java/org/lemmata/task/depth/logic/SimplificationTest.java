package org.lemmata.task.depth.logic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.oracle.EnumeratedExpressions;

class SimplificationTest {

    static Stream<Arguments> everyFormAndNumberOfVariables() {
        return Stream.of(AnswerForm.values())
                .flatMap(form -> IntStream.rangeClosed(1, 8).mapToObj(variables -> Arguments.of(form, variables)));
    }

    /** Functions of random expressions, some of which depend on few variables and some on all. */
    private static List<TruthTable> functions(int variables, int count) {
        var language = new BooleanLanguage(variables);
        var sampler = new ExpressionSampler(new LeafAlphabet(language, true), 4, 4, new Random(variables));
        long[] table = new long[TruthTable.wordCount(variables)];
        return IntStream.range(0, count)
                .mapToObj(i -> {
                    sampler.draw();
                    sampler.tableInto(table);
                    return TruthTable.of(variables, table);
                })
                .toList();
    }

    @ParameterizedTest
    @MethodSource("everyFormAndNumberOfVariables")
    @Tag("long")
    void formsAreEqualToTheirFunctionsAndHaveNoVariableTooMany(AnswerForm form, int variables) {
        var language = new BooleanLanguage(variables);
        var simplification = new Simplification(language, form);
        for (TruthTable function : functions(variables, 40)) {
            int[] simplified = simplification.simplified(function);
            assertThat(language.evaluate(simplified))
                    .as(language.text(simplified))
                    .isEqualTo(function);
            assertThat(IntStream.of(simplified)
                            .filter(id -> id < variables)
                            .distinct()
                            .sorted())
                    .as(language.text(simplified))
                    .containsExactly(IntStream.of(function.essential()).boxed().toArray(Integer[]::new));
        }
    }

    /** A function has the same form in a vocabulary of few or many variables, up to the names of variables. */
    @ParameterizedTest
    @EnumSource(AnswerForm.class)
    void formsDoNotChangeWithVariablesThatDoNotMatter(AnswerForm form) {
        var small = new BooleanLanguage(3);
        var large = new BooleanLanguage(7);
        var ofSmall = new Simplification(small, form);
        var ofLarge = new Simplification(large, form);
        for (int function = 0; function < 256; function++) {
            String text = small.text(ofSmall.simplified(TruthTable.of(3, function)));
            assertThat(large.text(ofLarge.simplified(ExpressionText.evaluate(large, text))))
                    .isEqualTo(text);
            String renamed = text.replace("p2", "p6").replace("p1", "p3").replace("p0", "p1");
            assertThat(large.text(ofLarge.simplified(ExpressionText.evaluate(large, renamed))))
                    .isEqualTo(renamed);
        }
    }

    /**
     * For all 256 functions of three variables, the result agrees with SymPy in form, order of operands and
     * parentheses, unless several covers are equally small.
     */
    @Test
    void twoLevelFormsAreThoseOfSymPy() throws IOException {
        var language = new BooleanLanguage(3);
        var simplification = new Simplification(language, AnswerForm.TWO_LEVEL);
        int other = 0;
        for (String line : symPy()) {
            String[] fields = line.split("\t", -1);
            TruthTable function = TruthTable.of(3, Integer.parseInt(fields[0], 16));
            assertThat(ExpressionText.evaluate(language, fields[1])).as(line).isEqualTo(function);
            String ours = language.text(simplification.simplified(function));
            if (!ours.equals(fields[1])) {
                other++;
                assertThat(ours.replaceAll("[^&|]", ""))
                        .as("%s, here %s", line, ours)
                        .hasSize(fields[1].replaceAll("[^&|]", "").length());
            }
        }
        assertThat(other).isEqualTo(32);
    }

    private static List<String> symPy() throws IOException {
        try (InputStream stream =
                SimplificationTest.class.getResourceAsStream("/org/lemmata/vectors/depth-boolean-sympy.tsv")) {
            List<String> lines = new String(Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .skip(1)
                    .toList();
            assertThat(lines).hasSize(256);
            return lines;
        }
    }

    /** Earlier calls and other threads do not change a form. */
    @Tag("long")
    @ParameterizedTest
    @EnumSource(AnswerForm.class)
    void formsAreTheSameInAnyOrderAndOnAnyThread(AnswerForm form) {
        for (int variables : new int[] {4, 6}) {
            var language = new BooleanLanguage(variables);
            List<TruthTable> functions = functions(variables, 60);
            var inOrder = new Simplification(language, form);
            List<String> expected = functions.stream()
                    .map(function -> language.text(inOrder.simplified(function)))
                    .toList();
            var backwards = new Simplification(language, form);
            List<String> reversed = new ArrayList<>(functions.reversed().stream()
                    .map(function -> language.text(backwards.simplified(function)))
                    .toList());
            assertThat(reversed.reversed()).isEqualTo(expected);
            var shared = new Simplification(language, form);
            assertThat(functions.parallelStream().map(function -> language.text(shared.simplified(function))))
                    .containsExactlyElementsOf(expected);
        }
    }

    @Test
    void formsOfManyVariablesAreFactoredOut() {
        var language = new BooleanLanguage(6);
        var simplification = new Simplification(language, AnswerForm.SHORTEST);
        assertThat(language.text(
                        simplification.simplified(ExpressionText.evaluate(language, "p0&p1|p0&p2|p0&p3&p4|p0&p5"))))
                .isEqualTo("p0&(p1|p2|p5|(p3&p4))");
        assertThat(language.text(simplification.simplified(
                        ExpressionText.evaluate(language, "(p0|p1)&(p0|p2)&(p0|p3|p4)&(p0|p5)"))))
                .isEqualTo("p0|(p1&p2&p5&(p3|p4))");
    }

    @Test
    void otherFormsAndTablesAreRefused() {
        assertThat(AnswerForm.of("two-level")).isEqualTo(AnswerForm.TWO_LEVEL);
        assertRefused(() -> AnswerForm.of("dnf"), "form: expected shortest or two-level, got 'dnf'");
        var simplification = new Simplification(new BooleanLanguage(4), AnswerForm.SHORTEST);
        assertRefused(
                () -> simplification.simplified(TruthTable.constant(3, true)),
                "table: expected one of 4 variables, got one of 3");
    }

    private static final int[] NAMES = {0, 1, 2, 3};

    private static String text(ShortestForms forms, int variables, int function) {
        var language = new BooleanLanguage(variables);
        return language.text(forms.form(function).ids(language, NAMES));
    }

    /** Compares the texts of all 256 functions, which determine leaves, tokens and order. */
    @Tag("long")
    @Test
    void formsOfThreeVariablesAreThoseOfExhaustiveSearch() {
        var forms = new ShortestForms(3);
        String[] expected = EnumeratedExpressions.shortest();
        for (int function = 0; function < EnumeratedExpressions.FUNCTIONS; function++) {
            assertThat(text(forms, 3, function)).as("function %02x", function).isEqualTo(expected[function]);
        }
    }

    /** Enumerates 1.7 million trees of up to five leaves; the parity of three variables needs ten leaves. */
    @Test
    void treesOfUpToFiveLeavesReachTheFunctionsOfSoManyLeavesAndNoOthers() {
        var forms = new ShortestForms(3);
        boolean[] reached = new boolean[EnumeratedExpressions.FUNCTIONS];
        for (int leaves = 1; leaves <= 5; leaves++) {
            boolean[] now = EnumeratedExpressions.reachedByTrees(leaves);
            for (int function = 1; function < EnumeratedExpressions.FUNCTIONS - 1; function++) {
                reached[function] |= now[function];
                assertThat(forms.leaves(function) <= leaves)
                        .as("function %02x, %d leaves", function, leaves)
                        .isEqualTo(reached[function]);
            }
        }
        assertThat(forms.leaves(0x96)).isEqualTo(10);
    }

    /**
     * If no join of two functions needs more leaves than both together, then, by induction, no expression of a function
     * has fewer leaves than computed. The forms have exactly this many, so the number is attained.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    @Tag("long")
    void leavesAreExactForEveryFunction(int variables) {
        var forms = new ShortestForms(variables);
        var language = new BooleanLanguage(variables);
        int functions = 1 << (1 << variables);
        byte[] leaves = new byte[functions];
        for (int function = 0; function < functions; function++) {
            leaves[function] = (byte) forms.leaves(function);
        }
        int maximum = IntStream.range(0, functions).map(f -> leaves[f]).max().orElseThrow();
        int[][] levels = IntStream.rangeClosed(0, maximum)
                .mapToObj(level -> IntStream.range(0, functions)
                        .filter(f -> leaves[f] == level)
                        .toArray())
                .toArray(int[][]::new);
        for (int a = 1; 2 * a < maximum; a++) {
            // Pairs with more leaves together than the maximum of all functions need no check.
            for (int b = a; a + b < maximum; b++) {
                for (int f : levels[a]) {
                    for (int g : levels[b]) {
                        if (leaves[f & g] > a + b || leaves[f | g] > a + b) {
                            throw new AssertionError(Integer.toHexString(f) + ", " + Integer.toHexString(g));
                        }
                    }
                }
            }
        }
        for (int i = 0; i < variables; i++) {
            int table = (int) TruthTable.variable(variables, i).words()[0];
            assertThat(leaves[table]).isEqualTo((byte) 1);
            assertThat(leaves[table ^ (functions - 1)]).isEqualTo((byte) 1);
        }
        for (int function = 0; function < functions; function++) {
            int[] ids = forms.form(function).ids(language, NAMES);
            assertThat(language.leaves(ids)).isEqualTo(leaves[function]);
            assertThat(forms.form(function).tokens()).isEqualTo(ids.length);
            if (language.evaluate(ids).words()[0] != function) {
                throw new AssertionError(Integer.toHexString(function) + ": " + language.text(ids));
            }
        }
    }

    /** As in the paper: {@code p0&p3&~p2} and {@code p1|(p3&~p2)}; the others by hand. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "p0&p3&~p2; p0&p3&~p2",
                "p1|p3&~p2; p1|(p3&~p2)",
                "~p2&p3|p1; p1|(p3&~p2)",
                "p0&~p0; false",
                "p0|true; true",
                "~~p2; p2",
                "~(p0&~p1); p1|~p0",
                "p0&p1|p0&p2|p0&p3; p0&(p1|p2|p3)",
                "p0&~p1|~p0&p1; (p0|p1)&(~p0|~p1)",
                "(p0|p1)&(p0|p2)&(p0|p3); p0|(p1&p2&p3)",
            })
    void formsOfFourVariables(String expression, String expected) {
        var language = new BooleanLanguage(4);
        var forms = new ShortestForms(4);
        String form = text(
                forms, 4, (int) ExpressionText.evaluate(language, expression).words()[0]);
        assertThat(form).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5, -1})
    void otherNumbersOfVariablesAreRefused(int variables) {
        assertRefused(() -> new ShortestForms(variables), "variables: expected 1 to 4, got " + variables);
    }
}
