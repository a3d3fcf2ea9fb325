package org.lemmata.statistic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.SplittableRandom;
import org.apache.commons.statistics.inference.ChiSquareTest;
import org.junit.jupiter.api.Test;

class PearsonChiSquareTest {

    @Test
    void theTestIsThatOfTheLibrary() {
        long[] counts = {130, 220, 310, 340};
        double[] probabilities = {0.125, 0.25, 0.25, 0.375};
        var expected = ChiSquareTest.withDefaults().test(new double[] {125, 250, 250, 375}, counts);
        var test = PearsonChiSquare.of(counts, probabilities);
        assertThat(test.degreesOfFreedom()).isEqualTo(3);
        assertThat(test.statistic()).isCloseTo(expected.getStatistic(), within(1e-12));
        assertThat(test.pValue()).isCloseTo(expected.getPValue(), within(1e-12));
    }

    @Test
    void rareOutcomesArePooled() {
        var test = PearsonChiSquare.of(new long[] {1, 2, 57, 38, 2}, 0.02, 0.02, 0.56, 0.36, 0.04);
        // Pooled: 1 + 2 + 57 against 60 expected, and 38 + 2 against 40.
        assertThat(test.statistic()).isCloseTo(0, within(1e-20));
        assertThat(test.degreesOfFreedom()).isEqualTo(1);
        assertThat(PearsonChiSquare.of(new long[] {4, 6}, 0.5, 0.5)).isEqualTo(new PearsonChiSquare(0.4, 1));
        assertThat(PearsonChiSquare.of(new long[] {3, 1}, 0.5, 0.5).pValue()).isEqualTo(1);
    }

    @Test
    void theImpossibleHasProbabilityZero() {
        var impossible = PearsonChiSquare.of(new long[] {100, 1, 100}, 0.5, 0, 0.5);
        assertThat(impossible).isEqualTo(new PearsonChiSquare(Double.POSITIVE_INFINITY, 2));
        assertThat(impossible.pValue()).isZero();
        assertThat(PearsonChiSquare.of(new long[] {100, 0, 100}, 0.5, 0, 0.5).pValue())
                .isEqualTo(1);
        assertRefused(
                () -> PearsonChiSquare.of(new long[] {1}, 0.5, 0.5),
                "counts: expected one per probability, that is 2, got 1");
    }

    /** If the distribution is correct, p-values are uniform: one in ten is below 0.1. */
    @Test
    void pValuesAreUniformUnderTheLaw() {
        var random = new SplittableRandom(12);
        int below = 0;
        for (int round = 0; round < 4000; round++) {
            long[] counts = new long[4];
            for (int draw = 0; draw < 400; draw++) {
                counts[Math.min(3, random.nextInt(5))]++;
            }
            below += PearsonChiSquare.of(counts, 0.2, 0.2, 0.2, 0.4).pValue() < 0.1 ? 1 : 0;
        }
        assertThat(below / 4000.0).isCloseTo(0.1, within(0.02));
    }
}
