package org.lemmata.oracle;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.oracle.SameNumbers.assertSameNumbers;

import org.junit.jupiter.api.Test;

class SameNumbersTest {

    @Test
    void whatIsTheSamePasses() {
        float[] floats = {1, -0f, Float.NaN, Float.NEGATIVE_INFINITY};
        double[] doubles = {1, -0.0, Double.NaN, Double.NEGATIVE_INFINITY};
        assertThatCode(() -> assertSameNumbers(floats.clone(), floats)).doesNotThrowAnyException();
        assertThatCode(() -> assertSameNumbers(doubles.clone(), doubles, "doubles"))
                .doesNotThrowAnyException();
    }

    @Test
    void whatDiffersIsTold() {
        float[] floats = {1, 0, Float.NaN};
        for (float[] other : new float[][] {{1, -0f, Float.NaN}, {1, 0, 0}, {1, 0}, {Math.nextUp(1f), 0, Float.NaN}}) {
            assertThatThrownBy(() -> assertSameNumbers(other, floats, "row %d of %s", 3, "x"))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("row 3 of x");
        }
        double[] doubles = {1, 0, Double.NaN};
        for (double[] other :
                new double[][] {{1, -0.0, Double.NaN}, {1, 0, 0}, {1, 0}, {Math.nextUp(1.0), 0, Double.NaN}}) {
            assertThatThrownBy(() -> assertSameNumbers(other, doubles, "row %d of %s", 3, "x"))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("row 3 of x");
        }
    }
}
