package org.lemmata.kernel.optimizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.oracle.ExactOptimizer;

/** Tests of the scalar {@link GradientNorm}, which those of other implementations inherit. */
class ScalarGradientNormTest {

    private static final int LANES = Species.FLOAT.length();
    static final long SEED = 20260403;

    GradientNorm gradientNorm() {
        return new ScalarGradientNorm();
    }

    /** Gradients of many orders of magnitude between infinities, which must not be read. */
    static float[] gradients(int length, int from, RandomGenerator random) {
        float[] gradients = new float[from + length + 2];
        Arrays.fill(gradients, Float.POSITIVE_INFINITY);
        for (int i = from; i < from + length; i++) {
            gradients[i] = (float) (random.nextGaussian() * Math.pow(10, random.nextDouble(-6, 2)));
        }
        return gradients;
    }

    /** An element takes part in about 130 + 32 + blocks additions, each with an error of at most 2^-53 of the sum. */
    private void check(String name, float[] gradients, int from, int length) {
        double actual = gradientNorm().squaredNorm(0, gradients, from, from + length);
        double exact =
                ExactOptimizer.squaredNorm(gradients, from, from + length).doubleValue();
        double additions = 160.0 + length / 4096.0;
        if (!(Math.abs(actual - exact) <= additions * 0x1p-53 * exact)) {
            assertThat(actual).as(name).isEqualTo(exact);
        }
    }

    @Test
    void everyLengthUpToTwiceTheLanes() {
        for (int length = 0; length <= Math.max(2 * LANES, 64) + 1; length++) {
            long seed = SEED + length;
            int from = length % 7;
            float[] gradients = gradients(length, from, new SplittableRandom(seed));
            check("seed " + seed + ", length " + length, gradients, from, length);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {97, 1024, 4095, 4096, 4097, 65535, 65536, 65537, 200003})
    void primesPowersOfTwoAndBlocks(int length) {
        check("seed " + SEED + ", length " + length, gradients(length, 3, new SplittableRandom(SEED)), 3, length);
    }

    @Test
    void freshSeeds() {
        long seed = ThreadLocalRandom.current().nextLong();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 20; i++) {
            int length = random.nextInt(10000);
            check("seed " + seed + ", run " + i, gradients(length, 1, random), 1, length);
        }
    }

    /** The squares of these numbers overflow or underflow in binary32. */
    @ParameterizedTest
    @ValueSource(floats = {Float.MIN_VALUE, 1e-30f, 1e30f, Float.MAX_VALUE})
    void squaresNeitherOverflowNorVanish(float extreme) {
        float[] gradients = new float[100];
        Arrays.fill(gradients, extreme);
        check("extreme " + extreme, gradients, 0, 100);
    }

    @Test
    void specialValues() {
        for (int place = 0; place < 70; place++) {
            float[] gradients = gradients(70, 0, new SplittableRandom(SEED));
            gradients[place] = Float.NEGATIVE_INFINITY;
            assertThat(gradientNorm().squaredNorm(0, gradients, 0, 70)).isInfinite();
            gradients[place] = Float.NaN;
            assertThat(gradientNorm().squaredNorm(0, gradients, 0, 70)).isNaN();
        }
    }

    /** Computes the order stated by the interface for two blocks. */
    @Test
    void addsInTheStatedOrder() {
        int length = 4096 + 100;
        float[] gradients = gradients(length, 1, new SplittableRandom(SEED));
        double total = 0;
        for (int block = 0; block < length; block += 4096) {
            double sum = 0;
            for (int partial = 0; partial < 32; partial++) {
                double partialSum = 0;
                for (int i = block + partial; i < Math.min(length, block + 4096); i += 32) {
                    partialSum += (double) gradients[1 + i] * gradients[1 + i];
                }
                sum += partialSum;
            }
            total += sum;
        }
        assertThat(gradientNorm().squaredNorm(0, gradients, 1, 1 + length)).isEqualTo(total);
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 2, 'gradients: expected 3 elements within 4, got offset -1'",
        "2, 5, 'gradients: expected 3 elements within 4, got offset 2'",
        "3, 2, 'from, to: expected from <= to, got 3, 2'"
    })
    void refusesRangesOutsideTheArray(int from, int to, String message) {
        assertRefused(() -> gradientNorm().squaredNorm(0, new float[4], from, to), message);
    }
}
