package org.lemmata.number;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.random.RandomStream;

/** Stochastic rounding with all 2^24 values of u, and with words of a stream. */
class StochasticRoundingTest {

    private static final int ALL = 1 << 24;

    /**
     * With {@code away} of 2^24 words, x is rounded to the neighbour away from zero, at distance {@code gap} from the
     * other one. The low eight bits of words have no effect.
     */
    @ParameterizedTest
    @CsvSource({
        "bfloat16, 0x1.0155p0, 0x1p-7, 0xAA8000",
        "ocp_e4m3, -449, 32, 0x080000",
        "binary32, 0x1.0000010000001p0, 0x1p-23, 0x800000",
        "multiple(3), -1, 3, 0x555555",
        "integer, 0x1p-24, 1, 1",
        "binary16, 0x1.00123p0, 0x1p-10, 0x48C000",
        "bfloat16, -0x1.00123p-130, 0x1p-133, 0x009180"
    })
    void wordsThatGoAwayAreAsManyAsTheFractionSays(String name, double x, double gap, String away) {
        NumberFormat format = NumberFormat.find(name).orElseThrow();
        double toward = format.round(x, Rounding.Mode.TOWARD_ZERO, true, false);
        double beyond = toward + Math.copySign(gap, x);
        long count = IntStream.range(0, ALL)
                .parallel()
                .filter(u -> {
                    double rounded = format.round(x, Rounding.Mode.STOCHASTIC, true, false, (u << 8) | (u & 0xFF));
                    if (rounded != toward && rounded != beyond && !Double.isNaN(rounded)) {
                        throw new AssertionError(
                                String.format(Locale.ROOT, "%s of %s with u = 2^-24 %d: %s", name, x, u, rounded));
                    }
                    return rounded != toward;
                })
                .count();
        assertThat(count).as("%s of %s", name, x).isEqualTo((long) Integer.decode(away));
        assertThat(Double.isNaN(format.round(x, Rounding.Mode.STOCHASTIC, true, false, -1)))
                .isEqualTo(Math.abs(beyond) > format.maxFinite());
    }

    /** At 1/3 of a gap, with the words for elements of a tensor: the count is within five standard deviations. */
    @Test
    void wordsOfAStreamGoAwayAsOftenAsTheyShould() {
        var rounding = new Rounding(FloatFormat.BFLOAT16, Rounding.Mode.STOCHASTIC, true, false);
        float x = 1 + 0x1p-7f / 3;
        int n = 1 << 18;
        int[] words = new int[n];
        var stream = new RandomStream(5, 0, 0);
        for (int tile = 0; tile < n / RandomStream.TILE; tile++) {
            stream.tileInto(words, tile * RandomStream.TILE, tile);
        }
        long away =
                IntStream.of(words).filter(word -> rounding.round(x, word) > 1).count();
        double deviation = Math.sqrt(n * 2 / 9.0);
        assertThat((away - n / 3.0) / deviation).isBetween(-5.0, 5.0);
    }
}
