package org.lemmata.kernel.matmul;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;

/** With no site rounded, the contract; with sites rounded, sums done by hand. */
class RoundedMatMulTest extends MatMulContract {

    private static final Rounding BFLOAT16 = Rounding.toNearestEven(FloatFormat.BFLOAT16);

    @Override
    MatMul matMul() {
        return new RoundedMatMul(MatMulRounding.none());
    }

    @Test
    void withNoSiteRoundedHasTheBitsOfTheReference() {
        for (MatMul.Form form : MatMul.Form.values()) {
            for (MatMulCase.Start start : MatMulCase.Start.values()) {
                float[] expected = MatMulCase.random(form, start, 9, 11, 30, new SplittableRandom(3))
                        .run(new ScalarMatMul());
                float[] actual = MatMulCase.random(form, start, 9, 11, 30, new SplittableRandom(3))
                        .run(matMul());
                assertThat(actual).isEqualTo(expected);
            }
        }
    }

    /** The inner product of two rows, added to {@code start}. */
    private static float inner(MatMulRounding rounding, float start, float[] a, float[] b) {
        float[] c = {start};
        new RoundedMatMul(rounding)
                .multiply(MatMul.Form.NT, true, c, 0, 1, a, 0, a.length, b, 0, b.length, 1, 1, a.length);
        return c[0];
    }

    /**
     * bfloat16 has 8 bits: neighbours of 256 are 2 apart, so ones vanish if each is added to 256 and rounded to even.
     */
    @Test
    void sumsAreRoundedOneByOneInAscendingOrder() {
        MatMulRounding sums = new MatMulRounding(null, BFLOAT16, null);
        float[] ones = {1, 1, 1, 1};
        assertThat(inner(sums, 256, ones, ones)).isEqualTo(256);
        assertThat(inner(sums, 0, new float[] {1, 1, 1, 1, 256}, new float[] {1, 1, 1, 1, 1}))
                .isEqualTo(260);
        assertThat(inner(MatMulRounding.none(), 256, ones, ones)).isEqualTo(260);
    }

    /** A bias is where the chain begins: 256 + 1 + 1 in bfloat16 is 256, and 1 + 1 + 256 would be 258. */
    @Test
    void sumsBeginWithTheBias() {
        float[] c = {0};
        float[] ones = {1, 1};
        new RoundedMatMul(new MatMulRounding(null, BFLOAT16, null))
                .multiplyAddBias(MatMul.Form.NT, c, 0, 1, ones, 0, 2, ones, 0, 2, new float[] {256}, 0, 1, 1, 2);
        assertThat(c).containsExactly(256);
    }

    /** (1 + 2^-7)^2 = 1 + 2^-6 + 2^-14, of which bfloat16 drops the last term. */
    @Test
    void productsAreRoundedBeforeTheyAreAdded() {
        float[] x = {1 + 0x1p-7f};
        assertThat(inner(new MatMulRounding(BFLOAT16, null, null), 0x1p-7f, x, x))
                .isEqualTo(1 + 0x1p-6f + 0x1p-7f);
        assertThat(inner(MatMulRounding.none(), 0x1p-7f, x, x)).isEqualTo(1 + 0x1p-6f + 0x1p-7f + 0x1p-14f);
    }

    /** 256 + 1 + 1 = 258 is a bfloat16 number, which only rounding at the end reaches. */
    @Test
    void outputsAreRoundedOnceAtTheEnd() {
        float[] ones = {1, 1};
        assertThat(inner(MatMulRounding.tensors(BFLOAT16), 256, ones, ones)).isEqualTo(258);
        assertThat(inner(MatMulRounding.tensors(BFLOAT16), 256.5f, ones, ones)).isEqualTo(258);
        assertThat(inner(MatMulRounding.everything(BFLOAT16), 256, ones, ones)).isEqualTo(256);
    }

    /**
     * With x = 1 + 2^-12 + 2^-23, x^2 lies just above 1 + 2^-11 + 2.5 * 2^-23: binary32 would round up, and too early.
     */
    @Test
    void productsReachTheirSiteUnrounded() {
        Rounding towardZero = new Rounding(FloatFormat.BINARY32, Rounding.Mode.TOWARD_ZERO, true, false);
        float[] x = {1 + 0x1p-12f + 0x1p-23f};
        assertThat(inner(MatMulRounding.none(), 0, x, x)).isEqualTo(1 + 0x1p-11f + 3 * 0x1p-23f);
        assertThat(inner(new MatMulRounding(towardZero, null, null), 0, x, x)).isEqualTo(1 + 0x1p-11f + 2 * 0x1p-23f);
    }

    /** 1 - 2^-80 lies below 1: neither binary32 nor binary64 holds it, and toward zero the answer is not 1. */
    @Test
    void sumsReachTheirSiteUnrounded() {
        Rounding towardZero = new Rounding(FloatFormat.BFLOAT16, Rounding.Mode.TOWARD_ZERO, true, false);
        float[] x = {0x1p-40f};
        assertThat(inner(new MatMulRounding(null, towardZero, null), -1, x, x)).isEqualTo(-1 + 0x1p-8f);
        assertThat(inner(new MatMulRounding(null, BFLOAT16, null), 1 + 0x1p-8f, x, x))
                .isEqualTo(1 + 0x1p-7f);
    }
}
