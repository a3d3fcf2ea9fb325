package org.lemmata.construct.length;

import org.lemmata.argument.Refuse;

/**
 * N such that |f - g| &lt;= delta on all inputs of at most N tokens implies |f - g| &lt;= delta + epsilon on all
 * inputs, for one-layer limit transformers f and g: theorem 4.1 with its constants.
 *
 * <p>As printed N = O(max(2^(p / gamma), tau Delta L² / epsilon²)); {@link #printed()} reads O as 1, and tau = 0 as 1.
 * Corrected,
 *
 * <pre>
 * N = max(H + Delta - 1, Delta ceil((1 + 2 e) C / e²) + tau + Delta)
 * H = the smallest n with log2(n) gamma &gt;= p, gamma over all distances             {@link LogitMargin}
 * e = epsilon / (2 (L_f + L_g)), at most 1                                      allowed total variation
 * C = tau + Delta + |Sigma| Delta / 4                                           tokens changed by tail and rounding
 * L = |u| (r + |A|_F |B|_F) max |v|                                             {@link LimitNorm} defines the factors
 * </pre>
 *
 * <p>{@link AuxiliaryString} has the proof. For small epsilon and L_f = L_g = L, N is 16 Delta C L² / epsilon². Since C
 * is at least Delta, N grows as Delta², while the printed N grows as Delta; whether Delta² is necessary is open. If a
 * quotient exceeds a whole number only because of rounding in binary64, it counts as that number.
 *
 * <p>Source: Izzo, Nichani and Lee (2025), theorem 4.1.
 *
 * @param tokens |Sigma|, at least 1
 * @param period Delta, at least 1
 * @param locality tau, at least 0
 * @param hardmaxLength H of both heads, at least 1
 * @param normOfF L_f, at least 0
 * @param normOfG L_g, at least 0
 * @param epsilon above 0
 */
public record GeneralizationBound(
        int tokens, int period, int locality, long hardmaxLength, double normOfF, double normOfG, double epsilon) {

    /**
     * The maximum relative excess, due to rounding in binary64, of a length over a whole number. There are six relative
     * errors of at most 2^-53: of e (twice), 1 + 2 e, its product with C, e² and the quotient.
     */
    private static final double ROUNDING = 0x1p-50;

    public GeneralizationBound {
        if (tokens < 1 || period < 1 || locality < 0 || hardmaxLength < 1) {
            throw new IllegalArgumentException("tokens, period, locality, hardmaxLength: expected at least 1, 1, 0,"
                    + " 1, got "
                    + tokens + ", " + period + ", " + locality + ", " + hardmaxLength);
        }
        if (!(normOfF >= 0 && normOfG >= 0) || !(epsilon > 0)) {
            throw new IllegalArgumentException("normOfF, normOfG, epsilon: expected at least 0, 0 and above 0, got "
                    + normOfF + ", " + normOfG + ", " + epsilon);
        }
    }

    /**
     * The bound for two functions of the same classes, with their corrected margins and norms.
     *
     * @throws IllegalArgumentException if they differ in tokens or period
     */
    public static GeneralizationBound of(LimitFunction f, LimitFunction g, double epsilon) {
        return BoundConstants.of(f).bound(BoundConstants.of(g), BoundConstants.Reading::corrected, epsilon);
    }

    /** e = epsilon / (2 (L_f + L_g)), at most 1. */
    public double resolution() {
        return Math.min(1, epsilon / (2 * (normOfF + normOfG)));
    }

    /** C. */
    public double slack() {
        return slack(tokens, period, locality);
    }

    /** N, corrected. */
    public long corrected() {
        return stringLength(tokens, period, locality, hardmaxLength, resolution());
    }

    /**
     * N as printed, with O read as 1: max(H, tau Delta L² / epsilon²), rounded up. L is the larger norm, and tau is at
     * least 1.
     */
    public long printed() {
        double l = Math.max(normOfF, normOfG);
        double length = Math.max(locality, 1) * (double) period * l * l / (epsilon * epsilon);
        return Math.max(hardmaxLength, whole(length));
    }

    /** N as printed, with L = max |A|_F |B|_F |v| of both functions, but H from the corrected margins. */
    public static long printed(LimitFunction f, LimitFunction g, double epsilon) {
        return BoundConstants.of(f)
                .bound(BoundConstants.of(g), BoundConstants.Reading::printed, epsilon)
                .printed();
    }

    static double slack(int tokens, int period, int locality) {
        return (double) locality + period + tokens * (double) period / 4;
    }

    /**
     * The maximum number of positions of one residue in z before its tail, unless H requires more: ceil((1 + 2 e) C /
     * e²). {@link AuxiliaryString} also uses this value, so that both have equal rounding errors.
     */
    static long positionsOfResidue(int tokens, int period, int locality, double e) {
        return whole((1 + 2 * e) * slack(tokens, period, locality) / (e * e));
    }

    /** The maximum |z|: max(H + Delta - 1, Delta ceil((1 + 2 e) C / e²) + tau + Delta). */
    public static long stringLength(int tokens, int period, int locality, long hardmaxLength, double e) {
        long positions = positionsOfResidue(tokens, period, locality, e);
        requireCountable((double) period * (double) positions);
        long attended = period * positions + locality + period;
        return Math.max(Math.addExact(hardmaxLength, period - 1L), attended);
    }

    private static long whole(double length) {
        requireCountable(length);
        return (long) Math.ceil(length * (1 - ROUNDING));
    }

    private static void requireCountable(double length) {
        Refuse.when(!(length < 0x1p53), "epsilon", "one with a bound below 2^53", "a bound of " + length);
    }
}
