package org.lemmata.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;

/**
 * Asserts that two arrays hold the same numbers: NaN is itself, -0 is not 0. As AssertJ's containsExactly, and in its
 * words; but that boxes all elements and looks for each of them, before it finds that the arrays are equal.
 */
public final class SameNumbers {

    private SameNumbers() {}

    public static void assertSameNumbers(float[] actual, float[] expected) {
        assertSameNumbers(actual, expected, "");
    }

    public static void assertSameNumbers(float[] actual, float[] expected, String description, Object... of) {
        if (!Arrays.equals(actual, expected)) {
            assertThat(actual).as(description, of).containsExactly(expected);
        }
    }

    public static void assertSameNumbers(double[] actual, double[] expected, String description, Object... of) {
        if (!Arrays.equals(actual, expected)) {
            assertThat(actual).as(description, of).containsExactly(expected);
        }
    }
}
