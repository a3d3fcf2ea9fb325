package org.lemmata.measure.precision;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.DoubleStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;

class ArgmaxLawTest {

    private static final Rounding BFLOAT16 = Rounding.toNearestEven(FloatFormat.BFLOAT16);

    private static Rounding bits(int p) {
        return Rounding.toNearestEven(new FloatFormat("p", p, -126, 127));
    }

    /** The gap of two normal scores has the density 2 phi(g / sqrt 2) / sqrt 2, which is 1 / sqrt pi at 0. */
    @Test
    void ofTwoScoresTheGapsDensityIsKnown() {
        double hidden = -Math.log1p(-0x1p-17);
        assertThat(new ArgmaxLaw(bits(16), EnumSet.of(Site.EXPONENTIALS)).rate(2))
                .isCloseTo(hidden / Math.sqrt(Math.PI), Percentage.withPercentage(0.01));
        assertThat(new ArgmaxLaw(bits(16), EnumSet.of(Site.EXPONENTIALS)).rate(1))
                .isZero();
    }

    /** Compares the law for the site {@code SCORES} with normal scores that are drawn and rounded. */
    @Test
    void theRateOfTiesIsThatOfNormalScores() {
        var random = new Random(5);
        var format = new FloatFormat("p", 6, -126, 127);
        Rounding rounding = Rounding.toNearestEven(format);
        int ties = 0;
        int rows = 20_000;
        for (int row = 0; row < rows; row++) {
            double[] scores = DoubleStream.generate(random::nextGaussian)
                    .limit(100)
                    .sorted()
                    .toArray();
            if (rounding.round(scores[99]) == rounding.round(scores[98])) {
                ties++;
            }
        }
        assertThat(new ArgmaxLaw(rounding, EnumSet.of(Site.SCORES)).rate(100))
                .isCloseTo((double) ties / rows, Percentage.withPercentage(6));
    }

    @Test
    void forLongRowsTheRateIsThatOfTheLimit() {
        Set<Site> exponentials = EnumSet.of(Site.EXPONENTIALS);
        for (int n : new int[] {1 << 20, 1 << 28}) {
            double a = Math.sqrt(2 * Math.log(n));
            assertThat(new ArgmaxLaw(bits(20), exponentials).rate(n))
                    .isCloseTo(a * 0x1p-21, Percentage.withPercentage(8));
        }
    }

    @Test
    void aBitMoreHalvesTheRate() {
        for (Set<Site> sites : Arrays.asList(
                EnumSet.of(Site.INPUTS),
                EnumSet.of(Site.SCORES),
                EnumSet.of(Site.EXPONENTIALS),
                EnumSet.of(Site.SUMS),
                EnumSet.allOf(Site.class))) {
            assertThat(new ArgmaxLaw(bits(13), sites).rate(500))
                    .as("%s", sites)
                    .isCloseTo(new ArgmaxLaw(bits(12), sites).rate(500) / 2, Percentage.withPercentage(3));
        }
    }

    @Test
    void theMedianIsWhereHalfOfTheHeadsHaveChanged() {
        var law = new ArgmaxLaw(BFLOAT16, Site.tensors());
        int median = law.medianLength();
        double kept = 1;
        for (int n = 2; n <= median; n++) {
            kept *= 1 - law.rate(n);
        }
        assertThat(kept).isGreaterThanOrEqualTo(0.5);
        assertThat(kept * (1 - law.rate(median + 1))).isLessThan(0.5);
    }
}
