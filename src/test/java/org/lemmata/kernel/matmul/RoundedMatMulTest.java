package org.lemmata.kernel.matmul;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.kernel.Threads;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.NumberFormat;
import org.lemmata.number.Rounding;
import org.lemmata.random.RandomStream;

class RoundedMatMulTest extends ScalarRoundedMatMulTest {

    private static final RandomStream STREAM = new RandomStream(-7, 2, 1L << 40);

    @Override
    MatMul rounded(MatMulRounding rounding, RandomStream stream) {
        return new RoundedMatMul(rounding, stream, Workers.caller());
    }

    private void checkAgainstTheReference(MatMulRounding rounding, int m, int n, int k) {
        MatMulCase.forEachKind((form, start) -> {
            MatMulCase product = MatMulCase.random(form, start, m, n, k, new SplittableRandom(1));
            Threads.assertBits(
                    List.of(product.run(new ScalarRoundedMatMul(rounding, STREAM))),
                    workers -> List.of(product.run(new RoundedMatMul(rounding, STREAM, workers))));
        });
    }

    /** More than one block of rows, columns and inner index; the build runs this test at every lane width. */
    @ParameterizedTest
    @CsvSource({"33, 7, 11", "3, 131, 5", "1, 9, 259"})
    void hasTheBitsOfTheReferenceForEveryNumberOfThreads(int m, int n, int k) {
        checkEveryFormat(m, n, k);
    }

    /** More than one block in all three sizes at once. */
    @Tag("long")
    @Test
    void soItHasBeyondABlockInAll() {
        Rounding bfloat16 = Rounding.toNearestEven(FloatFormat.BFLOAT16);
        checkAgainstTheReference(new MatMulRounding(bfloat16, bfloat16, bfloat16), 34, 130, 258);
    }

    @Tag("long")
    @Test
    void soItHasInEveryFormat() {
        checkEveryFormat(34, 130, 258);
    }

    private void checkEveryFormat(int m, int n, int k) {
        for (FloatFormat format :
                new FloatFormat[] {FloatFormat.BINARY16, FloatFormat.BFLOAT16, FloatFormat.OCP_E4M3}) {
            Rounding nearest = Rounding.toNearestEven(format);
            checkAgainstTheReference(new MatMulRounding(nearest, nearest, nearest), m, n, k);
        }
        Rounding stochastic = new Rounding(FloatFormat.BFLOAT16, Rounding.Mode.STOCHASTIC, true, false);
        checkAgainstTheReference(new MatMulRounding(stochastic, stochastic, stochastic), m, n, k);
        checkAgainstTheReference(new MatMulRounding(null, null, stochastic), m, n, k);
    }

    /** Formats without SIMD kernels. */
    @ParameterizedTest
    @ValueSource(strings = {"binary64", "threshold(5)", "integer", "multiple(0.3125)", "float(30,-200,200)"})
    void otherFormatsHaveTheBitsOfTheReferenceToo(String name) {
        NumberFormat format = NumberFormat.find(name).orElseThrow();
        for (Rounding.Mode mode : new Rounding.Mode[] {Rounding.Mode.TIES_TO_EVEN, Rounding.Mode.STOCHASTIC}) {
            Rounding rounding = new Rounding(format, mode, true, false);
            checkAgainstTheReference(new MatMulRounding(rounding, rounding, rounding), 5, 37, 9);
            checkAgainstTheReference(new MatMulRounding(rounding, null, null), 5, 37, 9);
            checkAgainstTheReference(new MatMulRounding(null, rounding, null), 5, 37, 9);
        }
    }

    @Test
    void anotherStreamGivesOtherRoundings() {
        Rounding stochastic = new Rounding(FloatFormat.E2M1, Rounding.Mode.STOCHASTIC, true, false);
        for (MatMulRounding rounding : new MatMulRounding[] {
            new MatMulRounding(stochastic, null, null),
            new MatMulRounding(null, stochastic, null),
            new MatMulRounding(null, null, stochastic)
        }) {
            float[] one = MatMulCase.random(MatMul.Form.NN, MatMulCase.Start.ZERO, 9, 33, 2, new SplittableRandom(1))
                    .run(rounded(rounding, STREAM));
            float[] other = MatMulCase.random(MatMul.Form.NN, MatMulCase.Start.ZERO, 9, 33, 2, new SplittableRandom(1))
                    .run(rounded(rounding, new RandomStream(-7, 2, 1)));
            assertThat(other).isNotEqualTo(one);
        }
    }
}
