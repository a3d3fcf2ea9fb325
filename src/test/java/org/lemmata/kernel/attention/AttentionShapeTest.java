package org.lemmata.kernel.attention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.kernel.attention.AttentionShape.Weighting;

class AttentionShapeTest {

    private static final AttentionShape PLAIN = new AttentionShape(Weighting.SOFTMAX, 2, 16, 0.25f);

    @Test
    void anOptionIsAddedToWhatIsThere() {
        assertThat(AttentionShape.softmax(2, 16)).isEqualTo(PLAIN);
        assertThat(PLAIN)
                .isEqualTo(new AttentionShape(Weighting.SOFTMAX, Mask.CAUSAL, 2, 16, 0, 0.25f, LogLength.NONE, 0, 0));
        assertThat(PLAIN.withoutMask()
                        .withIdentities(5)
                        .withScoreScale(2)
                        .withLogLength(LogLength.SEEN)
                        .withScoreBias(7)
                        .withThreshold(9))
                .isEqualTo(new AttentionShape(Weighting.THRESHOLDED, Mask.NONE, 2, 16, 5, 2, LogLength.SEEN, 7, 9));
    }

    @Test
    void sizesAndOptionsOutsideTheirRangesAreRefused() {
        assertRefused(() -> AttentionShape.softmax(0, 3), "heads, headWidth: expected at least 1, got 0, 3");
        assertRefused(() -> PLAIN.withIdentities(-1), "identityWidth, biasSpan: expected at least 0, got -1, 0");
        assertRefused(() -> PLAIN.withScoreBias(-2), "identityWidth, biasSpan: expected at least 0, got 0, -2");
        assertRefused(() -> PLAIN.withScoreScale(Float.NaN), "scoreScale: expected a finite number, got NaN");
        assertRefused(() -> PLAIN.withThreshold(127), "thresholdBits: expected 1 to 126 for THRESHOLDED, got 127");
        assertRefused(
                () -> new AttentionShape(Weighting.THRESHOLDED, 1, 1, 1),
                "thresholdBits: expected 1 to 126 for THRESHOLDED, got 0");
        assertRefused(
                () -> new AttentionShape(Weighting.HARDMAX, Mask.CAUSAL, 1, 1, 0, 1, LogLength.NONE, 0, 4),
                "thresholdBits: expected 0 for HARDMAX, got 4");
    }

    /** log2(n) is exact for powers of two and irrational otherwise; a binary64 product decides both cases. */
    @Test
    void theCutoffIsTheSmallestGapThatWeighsNothing() {
        for (int p = 1; p <= 126; p++) {
            AttentionShape shape = PLAIN.withThreshold(p);
            assertMinimum(shape.cutoff(1), 1 / Math.log(2), p);
            assertThat(shape.cutoff(100)).isEqualTo(shape.cutoff(1));
            AttentionShape logLength = shape.withLogLength(LogLength.SEEN);
            for (int n = 2; n < 3000; n++) {
                double log2 = Integer.bitCount(n) == 1 ? Integer.numberOfTrailingZeros(n) : Math.log(n) / Math.log(2);
                assertMinimum(logLength.cutoff(n), log2, p);
            }
            for (int exponent = 1; exponent < 31; exponent++) {
                assertMinimum(logLength.cutoff(1 << exponent), exponent, p);
            }
            // A single position keeps its weight.
            assertThat(logLength.cutoff(1)).isEqualTo(Float.POSITIVE_INFINITY);
        }
        assertThat(PLAIN.withThreshold(8).withLogLength(LogLength.SEEN).cutoff(16))
                .isEqualTo(2);
        assertThat(PLAIN.withLogLength(LogLength.SEEN).cutoff(16)).isEqualTo(Float.POSITIVE_INFINITY);
    }

    private static void assertMinimum(float cutoff, double bitsPerUnit, int p) {
        if (!(cutoff * bitsPerUnit >= p) || !(Math.nextDown(cutoff) * bitsPerUnit < p)) {
            throw new AssertionError("p " + p + ", " + bitsPerUnit + " bits per unit: got " + cutoff);
        }
    }

    @Test
    void theLengthFactorIsTheLogarithmOfThePositionsSeen() {
        assertThat(PLAIN.lengthFactor(7)).isEqualTo(1);
        assertThat(PLAIN.withLogLength(LogLength.SEEN).lengthFactor(1)).isZero();
        assertThat(PLAIN.withLogLength(LogLength.SEEN).lengthFactor(7)).isEqualTo((float) Math.log(7));
        assertThat(PLAIN.seen(3, 9)).isEqualTo(4);
        assertThat(PLAIN.withoutMask().seen(3, 9)).isEqualTo(9);
    }

    @Test
    void whatIsCountedIsThePositionsSeenOrAll() {
        for (AttentionShape shape : List.of(PLAIN.withThreshold(3), PLAIN.withLogLength(LogLength.SEEN))) {
            assertThat(shape.counted(3, 9)).isEqualTo(4);
            assertThat(shape.withoutMask().counted(3, 9)).isEqualTo(9);
        }
        assertThat(PLAIN.withLogLength(LogLength.SEQUENCE).counted(3, 9)).isEqualTo(9);
        assertThat(PLAIN.withLogLength(LogLength.SEQUENCE).lengthFactor(9)).isEqualTo((float) Math.log(9));
        assertThat(PLAIN.withLogLength(LogLength.SEQUENCE).withThreshold(8).cutoff(16))
                .isEqualTo(2);
    }
}
