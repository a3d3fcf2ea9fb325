package org.lemmata.kernel.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.lemmata.oracle.Refusals.assertRefused;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MatrixTest {

    private static void assertPlaced(Matrix matrix, float[] array, int... expected) {
        assertThat(matrix.array()).isSameAs(array);
        assertThat(new int[] {matrix.offset(), matrix.rows(), matrix.columns(), matrix.stride()})
                .containsExactly(expected);
    }

    @Test
    void hasWhatItWasPlacedAt() {
        float[] x = new float[20];
        assertPlaced(Matrix.of(x, 3, 2, 4, 6), x, 3, 2, 4, 6);
        assertPlaced(Matrix.of(x, 5, 4), x, 0, 5, 4, 4);
        assertPlaced(Matrix.row(x, 7, 13), x, 7, 1, 13, 13);
        Matrix matrix = Matrix.empty();
        assertThat(matrix.at(x, 2, 9)).isSameAs(matrix);
        assertPlaced(matrix, x, 0, 2, 9, 9);
    }

    /** The last element of 2 x 4 with stride 6 lies at offset + 9. */
    @ParameterizedTest
    @CsvSource({"0", "5", "10"})
    void mayReachToTheEndOfItsArray(int offset) {
        assertThatCode(() -> Matrix.of(new float[20], offset, 2, 4, 6)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "11, 2, 4, 6",
        "-1, 2, 4, 6",
        "0, 2, 4, 3",
        "0, 1, 4, 3",
        "0, 6, 4, 4",
        "0, -1, 4, 4",
        "0, 2, -1, 4",
        "2147483647, 1, 1, 1",
        "0, 2, 1, 2147483647",
        "0, 65537, 65536, 65536",
        "0, 1, 2147483647, 2147483647"
    })
    void refusesWhatLiesBeyondItsArray(int offset, int rows, int columns, int stride) {
        Matrix matrix = Matrix.row(new float[20], 1, 2);
        assertRefused(
                () -> matrix.at(new float[20], offset, rows, columns, stride),
                "matrix: expected " + rows + " x " + columns + " within 20 elements, got offset " + offset
                        + " and stride " + stride);
        assertThat(matrix).hasToString("1 x 2 at 1, stride 2, of 20 elements");
    }

    @ParameterizedTest
    @CsvSource({"0, 4", "4, 0", "0, 0", "0, 2147483647"})
    void nothingLiesAnywhere(int rows, int columns) {
        float[] nothing = {};
        assertPlaced(Matrix.of(nothing, rows, columns), nothing, 0, rows, columns, columns);
    }

    @Test
    void rowsOfAnother() {
        float[] x = new float[40];
        Matrix all = Matrix.of(x, 3, 5, 4, 7);
        Matrix part = Matrix.empty();
        assertThat(part.atRows(all, 2, 3)).isSameAs(part);
        assertPlaced(part, x, 17, 3, 4, 7);
        assertPlaced(all, x, 3, 5, 4, 7);
        assertPlaced(part.atRows(all, 5, 0), x, 38, 0, 4, 7);
        assertPlaced(part.atRows(all, 0, 5), x, 3, 5, 4, 7);
    }

    @Test
    void elementsLieAtOffsetStrideAndColumn() {
        float[] x = new float[20];
        x[14] = 3;
        Matrix matrix = Matrix.of(x, 3, 3, 4, 5);
        assertThat(matrix.start(2)).isEqualTo(13);
        assertThat(matrix.get(2, 1)).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({"-1, 2", "0, 6", "4, 2", "0, -1", "6, 0", "1, 2147483647", "-2147483648, 2"})
    void refusesRowsThatAreNotThere(int first, int count) {
        Matrix all = Matrix.of(new float[40], 3, 5, 4, 7);
        Matrix part = Matrix.of(new float[6], 2, 3);
        assertRefused(
                () -> part.atRows(all, first, count),
                "rows: expected a part of 5, got " + count + " from " + first + " on");
        assertThat(part).hasToString("2 x 3 at 0, stride 3, of 6 elements");
    }

    @Test
    void keepsNothingAliveOnceCleared() {
        Matrix matrix = Matrix.of(new float[6], 2, 3);
        matrix.clear();
        assertThat(matrix).hasToString("0 x 0 at 0, stride 0, of 0 elements");
    }

    @Test
    void namesTheArgumentThatHasOtherSizes() {
        Matrix matrix = Matrix.of(new float[6], 2, 3);
        matrix.require("a", 2, 3);
        for (int[] sizes : new int[][] {{3, 2}, {2, 4}, {1, 3}}) {
            assertRefused(
                    () -> matrix.require("a", sizes[0], sizes[1]),
                    "a: expected " + sizes[0] + " x " + sizes[1] + ", got 2 x 3");
        }
        matrix.requireDense("a", 2, 3);
        Matrix.of(new float[6], 0, 1, 3, 4).requireDense("a", 1, 3);
        assertRefused(() -> matrix.requireDense("a", 3, 2), "a: expected 3 x 2, got 2 x 3");
        assertRefused(
                () -> Matrix.of(new float[7], 0, 2, 3, 4).requireDense("a", 2, 3),
                "a: expected no gaps between rows of 3, got stride 4");
        assertRefused(() -> Matrix.requireIfPresent("gain", matrix, 1, 3), "gain: expected 1 x 3, got 2 x 3");
        assertThatCode(() -> Matrix.requireIfPresent("gain", null, 1, 3)).doesNotThrowAnyException();
    }
}
