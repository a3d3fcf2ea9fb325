package org.lemmata.task.depth.logic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.oracle.EnumeratedExpressions;

class ShortestFormsTest {

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
