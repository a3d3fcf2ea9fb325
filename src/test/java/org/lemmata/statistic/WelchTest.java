package org.lemmata.statistic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.apache.commons.statistics.inference.DataDispersion;
import org.apache.commons.statistics.inference.TTest;
import org.junit.jupiter.api.Test;

class WelchTest {

    private static double mean(double... values) {
        return Arrays.stream(values).average().orElseThrow();
    }

    private static boolean isBelow(double[] a, double[] b) {
        return Welch.isBelow(mean(a), Interval.mean(a), a.length, mean(b), Interval.mean(b), b.length);
    }

    /** Samples of a few values, with means so close that both results are frequent. */
    @Test
    void decidesAsTheTestOfTheValuesThemselves() {
        var random = new Random(12);
        int below = 0;
        int betweenIntervals = 0;
        for (int draw = 0; draw < 2_000; draw++) {
            double[] a = random.doubles(2 + draw % 5).toArray();
            double shift = random.nextDouble();
            double[] b = random.doubles(2 + draw % 7)
                    .map(value -> 0.3 * value + shift)
                    .toArray();
            double p = TTest.withDefaults()
                    .with(DataDispersion.HETEROSCEDASTIC)
                    .test(a, b)
                    .getPValue();
            assertThat(isBelow(a, b)).as("draw %d, p = %s", draw, p).isEqualTo(p < 0.05 && mean(a) < mean(b));
            below += isBelow(a, b) ? 1 : 0;
            betweenIntervals +=
                    isBelow(a, b) && Interval.mean(a).high() >= Interval.mean(b).low() ? 1 : 0;
        }
        assertThat(below).isBetween(200, 1_800);
        assertThat(betweenIntervals).as("more than intervals that are apart").isPositive();
    }

    @Test
    void meansWithoutSpreadAreBelowIfTheyAreLess() {
        double[] same = {0.5, 0.5, 0.5};
        assertThat(isBelow(same, same)).isFalse();
        assertThat(isBelow(same, new double[] {0.6, 0.6})).isTrue();
        assertThat(isBelow(new double[] {0.6, 0.6}, same)).isFalse();
    }

    /** Half-widths 3 and 4 have the half-width 5 together. */
    @Test
    void intervalsOfOtherKindsHaveManyDegreesOfFreedom() {
        Interval a = new Interval(-3, 3);
        assertThat(Welch.isBelow(a, new Interval(0.9, 8.9))).isFalse();
        assertThat(Welch.isBelow(a, new Interval(1.1, 9.1))).isTrue();
        assertThat(Welch.isBelow(new Interval(10, 16), new Interval(11, 17)))
                .as("half-widths are equal")
                .isFalse();
        assertThat(Welch.isBelow(new Interval(10, 16), new Interval(15, 21))).isTrue();
        assertThat(Welch.isBelow(a, new Interval(Double.NaN, Double.NaN))).isFalse();
        assertThat(Welch.isBelow(a, new Interval(1, Double.POSITIVE_INFINITY))).isFalse();
    }
}
