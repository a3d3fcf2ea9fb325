package org.lemmata.kernel.attention;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.lemmata.kernel.elementary.Species;

class PowerOfTwoTest {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    /** The error bound of the Javadoc. */
    private static final double WORST_ULPS = 2.04;

    private static final double WORST_ULPS_OF_INVERSE = 4.53;

    private static final int BLOCK = 1 << 14;

    private static final long ALL = 1L << Float.SIZE;

    @Test
    void aSampleOfAllNumbersIsWithinTheErrorBound() {
        // The stride is prime, so that all significands and exponents are sampled.
        assertThat(worstUlps(1021)).isLessThan(WORST_ULPS);
    }

    /** Takes a minute or two on all cores: {@code mvn -P exhaustive verify}. */
    @Test
    @Tag("exhaustive")
    void allNumbersAreWithinTheErrorBound() {
        double worst = worstUlps(1);
        System.out.printf("2^x of attention: %.6f ulps%n", worst);
        assertThat(worst).isBetween(WORST_ULPS - 0.01, WORST_ULPS);
    }

    /** Therefore weights of ties are exactly 1, and rescaling by a power of two does not round. */
    @Test
    void wholeExponentsAreExact() {
        for (int n = Float.MIN_EXPONENT; n <= Float.MAX_EXPONENT; n++) {
            assertThat(power((float) n)).as("n = %d", n).isEqualTo(Math.scalb(1f, n));
        }
        assertThat(power(-0f)).isEqualTo(1);
        assertThat(power(Float.MIN_VALUE)).isEqualTo(1);
        assertThat(power(-Float.MIN_VALUE)).isEqualTo(1);
    }

    @Test
    void edgesOfTheDomain() {
        assertThat(power(-126f)).isEqualTo(Float.MIN_NORMAL);
        for (float below : new float[] {Math.nextDown(-126f), -127, -Float.MAX_VALUE, Float.NEGATIVE_INFINITY}) {
            assertThat(power(below)).as("%s", below).isEqualTo(+0f);
        }
        float last = Math.nextDown(127.5f);
        assertThat(ulps(last, power(last))).isLessThan(WORST_ULPS);
        assertThat(power(Float.NaN)).isNaN();
    }

    @Test
    void theInverseIsWithinItsErrorBound() {
        assertThat(worstUlpsOfInverse(1021)).isBetween(3., WORST_ULPS_OF_INVERSE);
    }

    @Test
    @Tag("exhaustive")
    void theInverseOfAllNumbersIsWithinItsErrorBound() {
        assertThat(worstUlpsOfInverse(1)).isBetween(WORST_ULPS_OF_INVERSE - 0.01, WORST_ULPS_OF_INVERSE);
    }

    @Test
    void theInverseOfAPowerIsExact() {
        for (int n = Float.MIN_EXPONENT; n <= Float.MAX_EXPONENT; n++) {
            assertThat(inverse(Math.scalb(1f, n))).as("n = %d", n).isEqualTo(n);
        }
        assertThat(inverse(Float.NaN)).isNaN();
    }

    private static double worstUlpsOfInverse(int stride) {
        int first = Float.floatToRawIntBits(Float.MIN_NORMAL);
        int last = Float.floatToRawIntBits(Float.MAX_VALUE);
        return IntStream.rangeClosed(0, (last - first) / stride)
                .parallel()
                .mapToDouble(i -> {
                    float x = Float.intBitsToFloat(first + i * stride);
                    double expected = Math.log(x) / Math.log(2);
                    return Math.abs(inverse(x) - expected) / Math.ulp((float) expected);
                })
                .max()
                .orElseThrow();
    }

    private static float inverse(float x) {
        return PowerOfTwo.inverse(FloatVector.broadcast(SPECIES, x)).lane(0);
    }

    /** The maximum error over every {@code stride}-th bit pattern. */
    private static double worstUlps(int stride) {
        return LongStream.rangeClosed(0, ALL / stride / BLOCK)
                .parallel()
                .mapToDouble(block -> worstOfBlock(block * BLOCK * stride, stride))
                .max()
                .orElseThrow();
    }

    private static double worstOfBlock(long firstBits, int stride) {
        float[] x = new float[BLOCK];
        for (int i = 0; i < BLOCK; i++) {
            x[i] = Float.intBitsToFloat((int) (firstBits + (long) i * stride));
        }
        float[] y = powers(x);
        double worst = 0;
        for (int i = 0; i < BLOCK; i++) {
            if (x[i] >= -126 && x[i] < 127.5f) {
                worst = Math.max(worst, ulps(x[i], y[i]));
            } else if (x[i] < -126 ? Float.floatToRawIntBits(y[i]) != 0 : Float.isNaN(x[i]) && !Float.isNaN(y[i])) {
                return Double.POSITIVE_INFINITY;
            }
        }
        return worst;
    }

    private static float power(float x) {
        float[] same = new float[SPECIES.length()];
        Arrays.fill(same, x);
        return powers(same)[0];
    }

    /** The powers of whole vectors. */
    private static float[] powers(float[] x) {
        float[] y = new float[x.length];
        for (int i = 0; i < x.length; i += SPECIES.length()) {
            PowerOfTwo.of(FloatVector.fromArray(SPECIES, x, i)).intoArray(y, i);
        }
        return y;
    }

    private static double ulps(float x, float y) {
        double exact = StrictMath.pow(2, x);
        double error = Math.abs(y - exact) / Math.ulp((float) exact);
        return Double.isNaN(error) ? Double.POSITIVE_INFINITY : error;
    }
}
