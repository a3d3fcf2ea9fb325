package org.lemmata.kernel.elementary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.Refusals.assertRefused;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.Arrays;
import java.util.stream.IntStream;
import jdk.incubator.vector.FloatVector;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.kernel.Allocation;

class VectorElementaryTest {

    private static final int LANES = Species.FLOAT.length();

    /** Prime, so that the sampled code words fall on all residues of the lanes and of the low bits. */
    private static final int STEP = 19997;

    /** Code words of consecutive numbers, both signs, as many as the array has places. */
    private static float[] around(float center, int length) {
        float[] x = new float[length];
        for (int i = 0; i < length; i++) {
            x[i] = Float.intBitsToFloat(Float.floatToRawIntBits(center) + i - length / 2);
        }
        return x;
    }

    private static void check(ElementaryFunction function, float[] x) {
        float[] y = new float[x.length];
        // One assertion for many numbers keeps the sweep fast; the loop then finds the number.
        if (!(function.worstUlps(y, x) <= function.worstUlps)) {
            for (int i = 0; i < x.length; i++) {
                assertThat(function.ulps(x[i], y[i]))
                        .as("ulps of %s(%s) = %s", function, x[i], y[i])
                        .isLessThanOrEqualTo(function.worstUlps);
                assertThat(function.scalar(x[i]))
                        .as("scalar form of %s(%s)", function, x[i])
                        .isEqualTo(y[i]);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSampleIsWithinTheStatedErrorAndBothFormsAgree(ElementaryFunction function) {
        float[] x = new float[64 * LANES];
        for (long code = 0; code < 1L << Integer.SIZE; code += (long) STEP * x.length) {
            for (int i = 0; i < x.length; i++) {
                x[i] = Float.intBitsToFloat((int) (code + (long) STEP * i));
            }
            check(function, x);
        }
    }

    /** All 2^32 numbers, on all cores: {@code mvn -P exhaustive verify}. The maximum error is that of the Javadoc. */
    @Tag("exhaustive")
    @ParameterizedTest
    @EnumSource
    void soAreAllNumbers(ElementaryFunction function) {
        double worst = IntStream.range(0, 1 << 16)
                .parallel()
                .mapToDouble(block -> {
                    float[] x = new float[1 << 16];
                    for (int i = 0; i < x.length; i++) {
                        x[i] = Float.intBitsToFloat(block * x.length + i);
                    }
                    return function.worstUlps(new float[x.length], x);
                })
                .max()
                .orElseThrow();
        System.out.printf("%s: %.6f ulps%n", function, worst);
        assertThat(worst).isBetween(function.worstUlps - 0.005, function.worstUlps);
    }

    /** Edges are ends of ranges, changes of method, and zeros of the functions. */
    @ParameterizedTest
    @EnumSource
    void everyNeighbourOfAnEdgeIsWithinTheStatedError(ElementaryFunction function) {
        float[] edges = {
            0x1p-148f,
            Float.MIN_NORMAL,
            0x1p-12f,
            2 / 3f,
            (float) (Math.PI / 4),
            1,
            4 / 3f,
            (float) (Math.PI / 2),
            (float) Math.PI,
            2,
            3.925f,
            9.5f,
            87.33654f,
            88.72283f,
            0x1p17f,
            // Its distance from a multiple of pi/2 is 2^-29.2, which is nearly the minimum.
            0x1.f37c8ap95f,
            0x1.fffff0p127f
        };
        for (float edge : edges) {
            float[] x = around(edge, 32 * LANES);
            check(function, x);
            for (int i = 0; i < x.length; i++) {
                x[i] = -x[i];
            }
            check(function, x);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "EXP, 0, 1",
        "EXP, -0.0, 1",
        "EXP, 1.401298464324817E-45, 1",
        "EXP, 1, 2.7182817",
        "EXP, Infinity, Infinity",
        "EXP, -Infinity, 0",
        "EXP, 3.4028235E38, Infinity",
        "EXP, -3.4028235E38, 0",
        "EXP, 88.72284, Infinity",
        "EXP, -87.33655, 0",
        "EXP, -100, 0",
        "SIN, 0, 0",
        "SIN, -0.0, -0.0",
        "SIN, 1.401298464324817E-45, 1.401298464324817E-45",
        "SIN, Infinity, NaN",
        "SIN, -Infinity, NaN",
        "SIN, 3.4028235E38, -0.5218765",
        "COS, 0, 1",
        "COS, -0.0, 1",
        "COS, Infinity, NaN",
        "COS, -Infinity, NaN",
        "COS, 3.4028235E38, 0.853021"
    })
    void specialPoints(ElementaryFunction function, float x, Float expected) {
        float[] all = new float[LANES];
        Arrays.fill(all, x);
        function.vectorInto(all, all);
        assertThat(all).containsOnly(expected);
        assertThat(function.scalar(x)).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource
    void everyNanGivesNan(ElementaryFunction function) {
        for (int code : new int[] {0x7f800001, 0x7fc00001, 0x7fffffff, 0xff800001, 0xffc00000, 0xffffffff}) {
            float[] x = new float[LANES];
            x[LANES - 1] = Float.intBitsToFloat(code);
            function.vectorInto(x, x);
            assertThat(x[LANES - 1]).isNaN();
            assertThat(function.scalar(Float.intBitsToFloat(code))).isNaN();
        }
    }

    /** A sample of numbers up to 0 and those around edges, with a second part below the precision of binary32. */
    @Test
    void theExponentialOfNonPositiveNumbersHasTheBitsOfThatOfAll() {
        float[] edges = {-0f, -Float.MIN_VALUE, -0x1p-12f, -1, -87.33654f, -87.336555f, -100, -Float.MAX_VALUE};
        var codes = new IntArrayList();
        for (float edge : edges) {
            for (float x : around(edge, 64)) {
                codes.add(Float.floatToRawIntBits(x));
            }
        }
        for (long code = 0x80000000L; code <= 0xff800000L; code += STEP) {
            codes.add((int) code);
        }
        codes.add(0xff800000);
        codes.removeIf(code -> !(Float.intBitsToFloat(code) <= 0));
        assertThat(codes.size()).isGreaterThan(100_000);
        float[] lanes = new float[2 * LANES];
        for (int code : codes) {
            float x = Float.intBitsToFloat(code);
            FloatVector all = FloatVector.broadcast(Species.FLOAT, x);
            FloatVector low = all.broadcast(Float.isInfinite(x) ? 0 : code % 3 * 0.5f * Math.ulp(x));
            VectorExp.expOfNonPositive(all, low).intoArray(lanes, 0);
            VectorExp.exp(all, low).intoArray(lanes, LANES);
            assertThat(Float.floatToRawIntBits(lanes[0]))
                    .as("e^%s", x)
                    .isEqualTo(Float.floatToRawIntBits(lanes[LANES]));
        }
    }

    /** All sign bits set: -0 to -infinity, and NaN behind them; then +0 and NaN of either sign. */
    @Test
    void theDecayOfNonPositiveNumbersHasTheBitsOfTheExponential() {
        for (long code = 1L << 31; code < 1L << Integer.SIZE; code += 9973) {
            checkDecay((int) code);
        }
        for (int code : new int[] {0, 0x7f800001, 0x7fc00001, 0x7fffffff, 0xff800000, 0xff800001, 0xffffffff}) {
            checkDecay(code);
        }
        for (int ulps = -500; ulps < 500; ulps++) {
            checkDecay(Float.floatToRawIntBits(-87.33654f) + ulps);
        }
    }

    private static void checkDecay(int code) {
        float x = Float.intBitsToFloat(code);
        float[] row = new float[LANES];
        Arrays.fill(row, x);
        RowExponentials.decay(row, 0, row, 0, LANES, 0, new float[LANES], LANES);
        // Asserting only what differs keeps the sweep fast.
        if (Float.compare(row[LANES - 1], ScalarExp.exp(x)) != 0) {
            assertThat(row[LANES - 1]).as("e^%s", x).isEqualTo(Float.valueOf(ScalarExp.exp(x)));
        }
    }

    /** Arrays of every length, with an incomplete last vector, and one large angle among small ones. */
    @Test
    void anglesOfEveryLengthStayWithinTheirPlaces() {
        for (int length = 0; length <= 2 * LANES + 1; length++) {
            for (float great : new float[] {1, 0x1p30f, Float.NaN}) {
                float[] x = new float[length + 5];
                for (int i = 0; i < x.length; i++) {
                    x[i] = i == 3 + length / 2 ? great : i - 3.5f;
                }
                float[] sines = new float[length + 4];
                Arrays.fill(sines, 7);
                VectorSine.sinInto(sines, 2, x, 3, length);
                float[] cosines = x.clone();
                VectorSine.cosInto(cosines, 3, cosines, 3, length);
                for (int i = 0; i < x.length; i++) {
                    boolean within = i >= 3 && i < 3 + length;
                    assertThat(cosines[i]).isEqualTo(Float.valueOf(within ? ScalarSine.cos(x[i]) : x[i]));
                    if (i > 0) {
                        assertThat(sines[i - 1]).isEqualTo(Float.valueOf(within ? ScalarSine.sin(x[i]) : 7));
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 3})
    void refusesAnglesOutsideTheArray(int offset) {
        assertRefused(
                () -> VectorSine.sinInto(new float[9], 0, new float[4], offset, 2),
                "x: expected 2 elements within 4, got offset " + offset);
        assertRefused(
                () -> VectorSine.cosInto(new float[4], offset, new float[9], 0, 2),
                "y: expected 2 elements within 4, got offset " + offset);
    }

    /** The second part is the rounding error of the exponent. */
    @Test
    void theSecondPartOfAnExponentCounts() {
        for (double exponent = -80; exponent < 80; exponent += 0.0137) {
            float x = (float) exponent;
            float low = (float) (exponent - x);
            double exact = Math.exp((double) x + low);
            double ulps = Math.abs(ScalarExp.exp(x, low) - exact) / Math.ulp((float) exact);
            assertThat(ulps).as("ulps of exp(%s + %s)", x, low).isLessThanOrEqualTo(1.25);
            float[] y = new float[LANES];
            VectorExp.exp(FloatVector.broadcast(Species.FLOAT, x), FloatVector.broadcast(Species.FLOAT, low))
                    .intoArray(y, 0);
            assertThat(y).containsOnly(ScalarExp.exp(x, low));
        }
    }

    /** Angles up to 2^17 and above, and an incomplete last vector. */
    @Tag("allocation")
    @Test
    void arraysOfAnglesAllocateNothing() {
        float[] x = new float[10 * LANES + 1];
        float[] y = new float[x.length];
        x[LANES] = 0x1p30f;
        Allocation.assertNone(() -> {
            VectorSine.sinInto(y, 0, x, 0, x.length);
            VectorSine.cosInto(y, 0, x, 0, x.length);
        });
    }
}
