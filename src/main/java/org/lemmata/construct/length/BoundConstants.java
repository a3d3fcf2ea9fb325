package org.lemmata.construct.length;

import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * The constants of f or g in theorem 4.1 of Izzo, Nichani and Lee (2025).
 *
 * @param tokens |Sigma|
 * @param period Delta
 * @param locality tau
 * @param bits p
 * @param margin gamma: as printed, only over the distances 0 to tau; corrected, over all distances
 * @param factors the factors of L; empty if L was given
 * @param norm L
 */
public record BoundConstants(
        int tokens, int period, int locality, int bits, Reading margin, Optional<LimitNorm> factors, Reading norm) {

    public record Reading(double printed, double corrected) {

        /** A given constant: the same in both readings. */
        public static Reading same(double value) {
            return new Reading(value, value);
        }
    }

    public static BoundConstants of(LimitFunction function) {
        LimitAttention attention = function.attention();
        LimitNorm factors = function.factors();
        return new BoundConstants(
                attention.tokens(),
                attention.period(),
                attention.locality(),
                attention.bits(),
                new Reading(LogitMargin.printed(attention), LogitMargin.corrected(attention)),
                Optional.of(factors),
                new Reading(factors.printed(), factors.corrected()));
    }

    /** 2^(p / gamma), gamma as printed. */
    public long printedHardmaxLength() {
        return LogitMargin.hardmaxLength(bits, margin.printed);
    }

    /** H = 2^(p / gamma). */
    public long hardmaxLength() {
        return LogitMargin.hardmaxLength(bits, margin.corrected);
    }

    /**
     * The bound for this function and another one.
     *
     * @param reading selects the printed or the corrected norms of both functions
     * @throws IllegalArgumentException if tokens or periods differ, or the hardmax length is too large
     */
    public GeneralizationBound bound(BoundConstants g, ToDoubleFunction<Reading> reading, double epsilon) {
        if (tokens != g.tokens || period != g.period) {
            throw new IllegalArgumentException("g: expected f's " + tokens + " tokens and period " + period + ", got "
                    + g.tokens + " and " + g.period);
        }
        return new GeneralizationBound(
                tokens,
                period,
                Math.max(locality, g.locality),
                Math.max(hardmaxLength(), g.hardmaxLength()),
                reading.applyAsDouble(norm),
                reading.applyAsDouble(g.norm),
                epsilon);
    }
}
