package org.lemmata.kernel.attention;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Quotients rounded to odd, scalar and SIMD. */
class RoundedQuotientTest {

    private static final long SEED = 20251122;

    @Test
    void aQuotientIsExactOrHasAnOddLastBitAndTheExactOneBetweenItsNeighbours() {
        Random random = new Random(SEED);
        for (int n = 0; n < 200_000; n++) {
            float total = Math.scalb(1 + random.nextFloat(), random.nextInt(14));
            float sum = sum(random, total);
            float quotient = Quotient.of(sum, total, true);
            BigDecimal exact = new BigDecimal(sum);
            int side = exact.compareTo(new BigDecimal(quotient).multiply(new BigDecimal(total)));
            if (side == 0) {
                continue;
            }
            assertThat(Float.floatToRawIntBits(quotient) & 1)
                    .as("%s / %s", sum, total)
                    .isOne();
            float beyond = side > 0 ? Math.nextUp(quotient) : Math.nextDown(quotient);
            if (Float.isFinite(beyond)) {
                assertThat(exact.compareTo(new BigDecimal(beyond).multiply(new BigDecimal(total))))
                        .as("%s / %s", sum, total)
                        .isEqualTo(-side);
            }
        }
    }

    /** A sum of any magnitude, sometimes with a quotient next to a number of few bits. */
    private static float sum(Random random, float total) {
        float sign = random.nextBoolean() ? 1 : -1;
        return switch (random.nextInt(4)) {
            case 0 -> sign * total * (1 + random.nextInt(8) / 4f);
            case 1 -> sign * Math.scalb(1 + random.nextFloat(), random.nextInt(250) - 140);
            case 2 -> sign * Math.scalb(random.nextFloat(), -126);
            default -> sign * random.nextFloat();
        };
    }

    @Test
    void lanesHaveTheSameBits() {
        Random random = new Random(SEED);
        float[] sums = new float[64];
        float[] quotients = new float[64];
        float[] special = {
            0, -0f, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.MAX_VALUE, -Float.MIN_VALUE
        };
        for (int n = 0; n < 20_000; n++) {
            float total =
                    n % 50 == 0 ? special[random.nextInt(6)] : Math.scalb(1 + random.nextFloat(), random.nextInt(14));
            total = n % 50 == 1 ? 0.01f : Math.abs(total);
            for (int i = 0; i < sums.length; i++) {
                sums[i] = n % 7 == 0 && i % 5 == 0 ? special[random.nextInt(7)] : sum(random, total);
            }
            for (boolean odd : new boolean[] {false, true}) {
                if (odd) {
                    RoundedForwardPass.odd(quotients, sums, 0, sums.length, total);
                } else {
                    RoundedForwardPass.nearest(quotients, sums, 0, sums.length, total);
                }
                for (int i = 0; i < sums.length; i++) {
                    float expected = Quotient.of(sums[i], total, odd);
                    assertThat(Float.compare(quotients[i], expected))
                            .as("%s / %s, odd %s: %s, not %s", sums[i], total, odd, quotients[i], expected)
                            .isZero();
                }
            }
        }
    }
}
