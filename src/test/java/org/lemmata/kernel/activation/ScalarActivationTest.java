package org.lemmata.kernel.activation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.kernel.Guarded.assertWithin;
import static org.lemmata.kernel.matrix.Matrix.row;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.lemmata.kernel.Guarded;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.oracle.ExactActivation;

/** Tests of the scalar {@link Activation}, which those of other implementations inherit. */
class ScalarActivationTest {

    private static final int LANES = Species.FLOAT.length();
    private static final long SEED = 20260103;

    /** Prime, so that the sampled code words fall on all residues of the lanes and of the low bits. */
    private static final int STEP = 49999;

    Activation activation() {
        return new ScalarActivation();
    }

    private static double exact(Activation.Kind kind, double x) {
        return ExactActivation.value(kind.name(), x);
    }

    private static double exactSlope(Activation.Kind kind, double x) {
        return ExactActivation.slope(kind.name(), x);
    }

    /** The maximum error that the Javadoc of {@link Activation.Kind} states, in ulps of {@code exact}. */
    private static double bound(Activation.Kind kind, double exact) {
        double ulp = Math.ulp((float) exact);
        return switch (kind) {
            case RELU -> 0;
            case COSINE -> ulp;
            case GELU -> Math.abs(exact) < 0x1p-126 ? 0x1p-126 : 6.5 * ulp;
            case TANH_GELU -> Math.abs(exact) < 0x1p-122 ? 0x1p-122 : 3.5 * ulp;
        };
    }

    private static double slopeBound(Activation.Kind kind, double x, double exact) {
        return switch (kind) {
            case RELU -> 0;
            case COSINE -> Math.ulp((float) exact);
            case GELU -> slopeBound(4, exact, ExactActivation.tail(Math.abs(x)), ExactActivation.geluTerm(x));
            case TANH_GELU ->
                slopeBound(6, exact, ExactActivation.tanhTail(Math.abs(x)), ExactActivation.tanhGeluTerm(x));
        };
    }

    private static double slopeBound(double ulps, double exact, double tail, double term) {
        double magnitude = Math.max(Math.abs(exact), tail + Math.abs(term));
        return magnitude < 0x1p-118 ? 0x1p-118 : ulps * Math.ulp((float) magnitude);
    }

    private static void checkValue(Activation.Kind kind, float x, float actual) {
        double exact = exact(kind, x);
        check(kind, x, actual, exact, bound(kind, exact));
    }

    private static void checkSlope(Activation.Kind kind, float x, float actual) {
        double exact = exactSlope(kind, x);
        check(kind, x, actual, exact, slopeBound(kind, x, exact));
    }

    private static void check(Activation.Kind kind, float x, float actual, double exact, double bound) {
        if (Double.isNaN(exact)) {
            assertThat(actual).as("%s at %s", kind, x).isNaN();
        } else if (actual != exact) {
            assertWithin(actual, exact, bound, () -> kind + " at " + x);
        }
    }

    private static float[] random(int length, RandomGenerator random) {
        float[] x = new float[length];
        for (int i = 0; i < length; i++) {
            x[i] = (float) (4 * random.nextGaussian());
        }
        return x;
    }

    @ParameterizedTest
    @EnumSource
    void aSampleOfAllNumbersIsWithinTheStatedError(Activation.Kind kind) {
        float[] x = new float[64 * LANES + 1];
        float[] ones = new float[x.length];
        Arrays.fill(ones, 1);
        float[] y = new float[x.length];
        Matrix ofX = row(x, 0, x.length);
        Matrix ofY = row(y, 0, x.length);
        for (long code = 0; code < 1L << Integer.SIZE; code += (long) STEP * x.length) {
            for (int i = 0; i < x.length; i++) {
                x[i] = Float.intBitsToFloat((int) (code + (long) STEP * i));
            }
            activation().forwardInto(kind, ofY, ofX);
            for (int i = 0; i < x.length; i++) {
                checkValue(kind, x[i], y[i]);
            }
            activation().backwardInto(kind, ofY, row(ones, 0, x.length), ofX);
            for (int i = 0; i < x.length; i++) {
                if (!Float.isNaN(x[i])) {
                    checkSlope(kind, x[i], y[i]);
                }
            }
        }
    }

    /** A denser sample of the range in which functions are neither small nor saturated. */
    @ParameterizedTest
    @EnumSource
    void everydayNumbersAreWithinTheStatedError(Activation.Kind kind) {
        long seed = ThreadLocalRandom.current().nextLong();
        float[] x = random(20000, new SplittableRandom(seed));
        float[] ones = new float[x.length];
        Arrays.fill(ones, 1);
        float[] y = new float[x.length];
        activation().forwardInto(kind, row(y, 0, x.length), row(x, 0, x.length));
        float[] slopes = new float[x.length];
        activation().backwardInto(kind, row(slopes, 0, x.length), row(ones, 0, x.length), row(x, 0, x.length));
        for (int i = 0; i < x.length; i++) {
            checkValue(kind, x[i], y[i]);
            checkSlope(kind, x[i], slopes[i]);
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyLengthStaysWithinItsPlacesAndMayWorkInPlace(Activation.Kind kind) {
        for (int length = 0; length <= 2 * LANES + 1; length++) {
            SplittableRandom random = new SplittableRandom(SEED + length);
            float[] x = random(length, random);
            float[] dy = random(length, random);
            Matrix y = Guarded.result(1, length);
            activation().forwardInto(kind, y, Guarded.operand(x));
            float[] values = Guarded.numbers(y);
            Matrix inPlace = Guarded.operand(x);
            activation().forwardInto(kind, inPlace, inPlace);
            assertThat(Guarded.numbers(inPlace)).isEqualTo(values);

            Matrix dx = Guarded.result(1, length);
            activation().backwardInto(kind, dx, Guarded.operand(dy), Guarded.operand(x));
            float[] gradients = Guarded.numbers(dx);
            for (int i = 0; i < length; i++) {
                checkValue(kind, x[i], values[i]);
                double exact = exactSlope(kind, x[i]);
                double factor = Math.abs(dy[i]);
                double bound = slopeBound(kind, x[i], exact) * factor + Math.ulp((float) (exact * factor));
                assertThat(Math.abs(gradients[i] - exact * dy[i])).isLessThanOrEqualTo(bound);
            }
            Matrix overDy = Guarded.operand(dy);
            activation().backwardInto(kind, overDy, overDy, Guarded.operand(x));
            assertThat(Guarded.numbers(overDy)).isEqualTo(gradients);
            Matrix overX = Guarded.operand(x);
            activation().backwardInto(kind, overX, Guarded.operand(dy), overX);
            assertThat(Guarded.numbers(overX)).isEqualTo(gradients);

            Matrix value = Guarded.result(1, length);
            Matrix gradient = Guarded.operand(dy);
            activation().bothInto(kind, value, gradient, Guarded.operand(x));
            assertThat(Guarded.numbers(value)).isEqualTo(values);
            assertThat(Guarded.numbers(gradient)).isEqualTo(gradients);
        }
    }

    /** The oracle's slopes are the derivatives of its values. */
    @ParameterizedTest
    @EnumSource
    void slopesAreDerivatives(Activation.Kind kind) {
        DoubleUnaryOperator value = x -> exact(kind, x);
        for (double x = -9.05; x < 9; x += 0.1) {
            double h = 1e-5;
            double difference = (value.applyAsDouble(x + h) - value.applyAsDouble(x - h)) / (2 * h);
            assertThat(Math.abs(exactSlope(kind, x) - difference)).isLessThan(1e-9);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "RELU, -0.0, 0, 0",
        "RELU, 0, 0, 0",
        "RELU, 1.401298464324817E-45, 1.401298464324817E-45, 1",
        "RELU, -Infinity, 0, 0",
        "RELU, Infinity, Infinity, 1",
        "RELU, NaN, NaN, 1",
        "GELU, 0, 0, 0.5",
        "GELU, -0.0, -0.0, 0.5",
        "GELU, -Infinity, -0.0, 0",
        "GELU, Infinity, Infinity, 1",
        "GELU, -14, -0.0, 0",
        "GELU, 3.4028235E38, 3.4028235E38, 1",
        "GELU, -3.4028235E38, -0.0, 0",
        "GELU, NaN, NaN, NaN",
        "TANH_GELU, 0, 0, 0.5",
        "TANH_GELU, -0.0, -0.0, 0.5",
        "TANH_GELU, -Infinity, -0.0, 0",
        "TANH_GELU, Infinity, Infinity, 1",
        "TANH_GELU, -11, -0.0, 0",
        "TANH_GELU, 3.4028235E38, 3.4028235E38, 1",
        "TANH_GELU, -3.4028235E38, -0.0, 0",
        "TANH_GELU, NaN, NaN, NaN",
        "COSINE, 0, 1, -0.0",
        "COSINE, -0.0, 1, 0",
        "COSINE, Infinity, NaN, NaN",
        "COSINE, -Infinity, NaN, NaN",
        "COSINE, NaN, NaN, NaN"
    })
    void specialPoints(Activation.Kind kind, float x, Float value, Float slope) {
        float[] all = new float[LANES + 1];
        Arrays.fill(all, x);
        float[] ones = new float[all.length];
        Arrays.fill(ones, 1);
        activation().backwardInto(kind, row(ones, 0, all.length), row(ones, 0, all.length), row(all, 0, all.length));
        assertThat(ones).containsOnly(slope);
        float[] values = new float[all.length];
        Arrays.fill(ones, 1);
        activation().bothInto(kind, row(values, 0, all.length), row(ones, 0, all.length), row(all, 0, all.length));
        assertThat(ones).containsOnly(slope);
        assertThat(values).containsOnly(value);
        activation().forwardInto(kind, row(all, 0, all.length), row(all, 0, all.length));
        assertThat(all).containsOnly(value);
    }

    @Test
    void refusesOtherSizesThanThoseOfTheResult() {
        Matrix four = row(new float[4], 0, 4);
        Matrix three = row(new float[4], 0, 3);
        Matrix gaps = Matrix.of(new float[4], 0, 2, 1, 2);
        assertRefused(
                () -> activation().forwardInto(Activation.Kind.RELU, four, three), "x: expected 1 x 4, got 1 x 3");
        assertRefused(
                () -> activation().forwardInto(Activation.Kind.RELU, gaps, gaps),
                "y: expected no gaps between rows of 1, got stride 2");
        assertRefused(
                () -> activation().backwardInto(Activation.Kind.RELU, four, three, four),
                "dy: expected 1 x 4, got 1 x 3");
        for (Activation.Kind kind : Activation.Kind.values()) {
            assertRefused(() -> activation().bothInto(kind, four, three, four), "gradient: expected 1 x 4, got 1 x 3");
            assertRefused(() -> activation().bothInto(kind, four, four, three), "x: expected 1 x 4, got 1 x 3");
        }
        assertRefused(
                () -> activation().backwardInto(Activation.Kind.RELU, gaps, gaps, gaps),
                "dx: expected no gaps between rows of 1, got stride 2");
        assertRefused(
                () -> activation().backwardInto(Activation.Kind.RELU, four, four, three),
                "x: expected 1 x 4, got 1 x 3");
    }
}
