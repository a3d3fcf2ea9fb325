package org.lemmata.construct.length;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

class GeneralizationBoundTest {

    /** By hand: e = 0.4 / (2 * 2) = 0.1, C = 1 + 2 + 3 * 2 / 4 = 4.5, ceil(1.2 * 4.5 / 0.01) = 540, 2 * 540 + 3. */
    @Test
    void theConstantsAreThoseOfTheFormula() {
        var bound = new GeneralizationBound(3, 2, 1, 64, 1, 1, 0.4);
        assertThat(bound.resolution()).isEqualTo(0.1);
        assertThat(bound.corrected()).isEqualTo(1083);
        assertThat(new GeneralizationBound(3, 2, 1, 5000, 1, 1, 0.4).corrected())
                .isEqualTo(5001);
        assertThat(new GeneralizationBound(3, 2, 1, 1, 1, 1, 1e9).resolution()).isEqualTo(1);
    }

    /** 1 / e whole, so that (1 + 2 e) C / e² is a multiple of 1/4. */
    @Test
    void lengthsAreThoseOfWholeNumberArithmetic() {
        for (int quarters : new int[] {6, 10, 14, 16, 21}) {
            int tau = (quarters - 6) / 4;
            int tokens = quarters - 4 - 4 * tau;
            for (long i = 1; i < 20_000; i++) {
                long expected = Math.ceilDiv(i * (i + 2) * quarters, 4L);
                assertThat(GeneralizationBound.positionsOfResidue(tokens, 1, tau, 1.0 / i))
                        .as("C = %d / 4, e = 1/%d", quarters, i)
                        .isEqualTo(expected);
            }
        }
    }

    /** 3 (2^31 + 1/4), rounded up, and 2^31. */
    @Test
    void theMaxLocalityIsCounted() {
        assertThat(GeneralizationBound.stringLength(1, 1, Integer.MAX_VALUE, 1, 1))
                .isEqualTo((1L << 33) + 1);
    }

    /** One token of value 2, A = 3, B = 1: the printed L is 6, without u. tau = 0 counts as 1. */
    @Test
    void thePrintedBoundLeavesTheUnembeddingOut() {
        var attention = new LimitAttention(1, 1, new double[1][1], new double[] {0}, new double[][] {{2}}, 1);
        var f = new LimitFunction(
                attention, null, new double[][] {{3}}, new double[] {0}, new double[][] {{1}}, new double[] {10}, 0);
        assertThat(f.factors().printed()).isEqualTo(6);
        assertThat(f.norm()).isEqualTo(60);
        assertThat(GeneralizationBound.printed(f, f, 0.5)).isEqualTo(144);
        assertThat(GeneralizationBound.of(f, f, 0.5).normOfG()).isEqualTo(60);
    }

    @Test
    void hardmaxLengthsAreExactWhereTheyArePowers() {
        assertThat(LogitMargin.hardmaxLength(8, 2)).isEqualTo(16);
        assertThat(LogitMargin.hardmaxLength(10, 1)).isEqualTo(1024);
        assertThat(LogitMargin.hardmaxLength(5, 2)).isEqualTo(6);
        assertThat(LogitMargin.hardmaxLength(45, 1)).isEqualTo(1L << 45);
        assertThat(LogitMargin.hardmaxLength(7, Double.POSITIVE_INFINITY)).isEqualTo(1);
        assertThat(LogitMargin.hardmaxLength(1, 1e9)).isEqualTo(2);
    }

    /** In binary64, 0.1 + 0.2 and 0.3 do not tie, not even with an exact sum; quarters and eighths do. */
    @Test
    void tiesThatRoundingBreaksAreRefusedInALine() {
        assertThat(exact(0.1).add(exact(0.2))).isGreaterThan(exact(0.3));
        assertThatThrownBy(() -> LogitMargin.hardmaxLength(head(0.1, 0.2, 0.3)))
                .hasMessage("margin: expected at least 0.17777777777777778 for 8 bits, got " + (0.1 + 0.2 - 0.3)
                        + ", a tie except for rounding? Multiples of a power of two add exactly");
        assertThat(LogitMargin.hardmaxLength(head(0.125, 2, 2.125))).isEqualTo(1 << 4);
    }

    private static BigDecimal exact(double number) {
        return new BigDecimal(number);
    }

    /** Two scores, which tie if phi(0) is added to one of them. */
    private static LimitAttention head(double score, double phi, double other) {
        double[][] scores = {{score, other}, {score, other}};
        return new LimitAttention(2, 1, scores, new double[] {phi}, new double[2][1], 8);
    }

    @Test
    void whatIsOutOfRangeIsRefusedInALine() {
        assertThatThrownBy(() -> LogitMargin.hardmaxLength(90, 1))
                .hasMessage("margin: expected at least 2.0 for 90 bits, got 1.0");
        assertThatThrownBy(() -> LogitMargin.hardmaxLength(1, 0))
                .hasMessage("bits, margin: expected at least 1 and above 0, got 1, 0.0");
        assertThatThrownBy(() -> new GeneralizationBound(1, 1, 0, 1, 1, 1, 0))
                .hasMessage("normOfF, normOfG, epsilon: expected at least 0, 0 and above 0, got 1.0, 1.0, 0.0");
        assertThatThrownBy(() -> new GeneralizationBound(1, 1, 0, 1, 1, 1, 1e-9).corrected())
                .hasMessageStartingWith("epsilon: expected one with a bound below 2^53, got a bound of ");
    }
}
