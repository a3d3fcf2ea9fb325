package org.lemmata.kernel.normalization;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.oracle.ExactStep;

/**
 * Stochastic rounding to 24 bits depends on 48 bits: with the random word for which the binary64 approximation is at
 * the limit, an error of 2^-53 is visible in one of about sixty numbers.
 */
class RoundedStatisticsTest {

    private static final long SEED = 20260720;
    private static final Rounding STOCHASTIC =
            new Rounding(FloatFormat.BINARY32, Rounding.Mode.STOCHASTIC, true, false);

    /** The word for which numbers from x on, cut to 48 bits, are rounded away from zero, and smaller ones are not. */
    private static int limit(double x) {
        int fraction = (int) (Double.doubleToRawLongBits(x) >>> 5) & 0xFF_FFFF;
        return ((1 << Rounding.RANDOM_BITS) - fraction) << 8;
    }

    @Test
    void reciprocalRootsAreRoundedOnce() {
        SplittableRandom random = new SplittableRandom(SEED);
        ExactStep exact = ExactStep.of(STOCHASTIC);
        for (int i = 0; i < 5000; i++) {
            float x = (float) Math.scalb(random.nextDouble(1, 2), random.nextInt(-149, 127));
            int word = limit(1 / Math.sqrt(x));
            assertThat(RoundedStatistics.reciprocalRoot(x, STOCHASTIC, word))
                    .as("1 / sqrt(%s), word %x, seed %d", x, word, SEED)
                    .isEqualTo(exact.reciprocalRoot(x, word));
        }
    }

    @Test
    void quotientsAreRoundedOnce() {
        SplittableRandom random = new SplittableRandom(SEED);
        ExactStep exact = ExactStep.of(STOCHASTIC);
        for (int i = 0; i < 20000; i++) {
            float x = (float) Math.scalb(random.nextDouble(-2, 2), random.nextInt(-10, 10));
            float epsilon = random.nextBoolean() ? 0 : (float) Math.scalb(random.nextDouble(1), random.nextInt(-60, 2));
            int n = random.nextInt(1, 10000);
            int word = limit((double) x / n + epsilon);
            assertThat(RoundedStatistics.quotientPlus(x, n, epsilon, STOCHASTIC, word))
                    .as("%s / %d + %s, word %x, seed %d", x, n, epsilon, word, SEED)
                    .isEqualTo(exact.quotientPlus(x, n, epsilon, word));
        }
    }
}
