package org.lemmata.construct.hierarchy;

import org.lemmata.argument.Refuse;

/**
 * The constants of theorems 1 and 2, computed from the maximum length n and depth D. They grow with n and D, so no
 * single network works for all lengths.
 *
 * <p>Position i is represented by the angle atan(i / A1) and depth d by atan(d / A2). Scores of neighbouring positions
 * differ by at least about g = A1 / (A1² + n²), and scores of any two positions by at most s + g, with s = n / sqrt(A1²
 * + n²). Neighbouring depths have an angle whose cosine is at most 1 - Delta, with Delta = 1 - cos atan(A2 / (A2² + D
 * (D - 1))). Therefore C1 = (s + g) / Delta gives depth priority over position, and C2 = ln(n / eta) / g leaves at most
 * eta of the attention to all other tokens.
 *
 * <p>Scores C1 cos of neighbouring depths differ by about 1. Rounding with unit roundoff u changes a score by about C1
 * u, while the scores of neighbouring positions differ by g, so about log2(1 / (Delta g)) significand bits are needed,
 * and log2(2 / (Delta g)) suffice for all possible rounding errors (docs/finite-precision-law.md). The second number is
 * smallest at A1 = n, A2 = sqrt(D (D - 1)): about log2(n D (D - 1)) + 5.
 *
 * <p>Source: Hayakawa and Sato (2024), appendix G; the paper leaves the constants open, and these formulas are ours.
 *
 * @param maxLength n: the maximum number of brackets, at least 1
 * @param maxDepth D: maximum number of simultaneously open brackets in prefixes of words, from 1 to n
 * @param positionScale A1: how often the start counts in the layers of positions; in the paper e^a, with its score a
 * @param depthScale A2: how often the start counts in the layers of depths; in the paper e^a, with its score a
 * @param bits the significand bits of tensors; weights are rounded to this number of bits
 * @param exact whether other constants have the values of the formulas; otherwise they are rounded to at most
 *     {@value #FEW_BITS} bits
 */
public record DyckConstants(
        int maxLength, int maxDepth, double positionScale, double depthScale, int bits, boolean exact) {

    public static final int EXACT_BITS = 53;

    /** The number of bits for which a constant is at most 1/8 larger than necessary. */
    private static final int FEW_BITS = 4;

    /** The significand bits that suffice for all weights and constants that do not depend on n. */
    static final int LEAST_BITS = 8;

    /**
     * The additional bits of sums: a score is a sum of three terms of its own magnitude, and a norm is a sum of four
     * squares (docs/finite-precision-law.md).
     */
    private static final int ADDITIONAL_SUM_BITS = 2;

    public DyckConstants {
        Refuse.below("maxLength", maxLength, 1);
        Refuse.outside("maxDepth", maxDepth, 1, maxLength);
        if (!(positionScale > 0 && depthScale > 0)) {
            throw new IllegalArgumentException(
                    "scales: expected positive numbers, got " + positionScale + " and " + depthScale);
        }
    }

    /**
     * The constants with A1 near n, A2 near sqrt(D (D - 1)), and the smallest sufficient number of bits. A1 and A2 are
     * powers of two, which are exact in every format with a sufficient range.
     */
    public static DyckConstants of(int maxLength, int maxDepth) {
        var constants = new DyckConstants(
                maxLength,
                maxDepth,
                nearestPowerOfTwo(maxLength),
                nearestPowerOfTwo(Math.sqrt(Math.max(1.0, maxDepth * (maxDepth - 1.0)))),
                LEAST_BITS,
                false);
        return constants.withBits(Math.max(LEAST_BITS, constants.neededBits()));
    }

    /** The constants with A1 = A2 = n, without rounding. */
    public static DyckConstants shared(int maxLength, int maxDepth) {
        return new DyckConstants(maxLength, maxDepth, maxLength, maxLength, EXACT_BITS, true);
    }

    /** These constants for weights with another number of bits. */
    public DyckConstants withBits(int newBits) {
        return new DyckConstants(maxLength, maxDepth, positionScale, depthScale, newBits, exact);
    }

    /** The constants for fewer brackets. If D is half of n, the new D is half of the new length. */
    DyckConstants shorter(int length) {
        int depth = maxDepth == Math.max(1, maxLength / 2) ? Math.max(1, length / 2) : Math.min(maxDepth, length);
        return exact ? shared(length, depth) : of(length, depth);
    }

    /**
     * The maximum number of simultaneously open brackets in an input: D, or n if D is at least half of n, because
     * deeper inputs then cannot be words, and the recognizer rejects them.
     */
    int wordDepth() {
        return maxDepth >= maxLength / 2 ? maxLength : maxDepth;
    }

    private static double nearestPowerOfTwo(double x) {
        return Math.scalb(1.0, (int) Math.rint(Math.log(x) / Math.log(2)));
    }

    /** g, approximately the least difference between the scores of neighbouring positions. */
    public double positionGap() {
        return positionScale / (positionScale * positionScale + (double) maxLength * maxLength);
    }

    /** Delta, 1 minus the cosine of the smallest angle between neighbouring depths. */
    public double depthGap() {
        double tangent = depthScale / (depthScale * depthScale + maxDepth * (maxDepth - 1.0));
        double sine = Math.sin(Math.atan(tangent) / 2);
        return 2 * sine * sine;
    }

    /** log2(1 / (Delta g)). */
    public double law() {
        return -Math.log(depthGap() * positionGap()) / Math.log(2);
    }

    /** The significand bits of tensors that make every decision correct: ceil(log2(2 / (Delta g))). */
    public int neededBits() {
        return (int) Math.ceil(law()) + 1;
    }

    /**
     * The significand bits of sums that make every decision correct, if tensors have at least {@link #neededBits()}.
     */
    public int neededSumBits() {
        return neededBits() + ADDITIONAL_SUM_BITS;
    }

    double depthWeight() {
        return up((maxLength / Math.hypot(positionScale, maxLength) + positionGap()) / depthGap());
    }

    /** C2 = ln(n / eta) / g. Unless constants are exact, rounded up to a power of two, so that products are exact. */
    double scoreWeight(double eta) {
        double weight = Math.log(maxLength / eta) / positionGap();
        return exact ? weight : LayerWriter.toBits(weight, 1, Math::ceil);
    }

    double sineOfOne() {
        return 1 / Math.hypot(1, depthScale);
    }

    /** The width eps of a step between 0 and sin theta(1); unless constants are exact, with a margin for rounding. */
    double stepWidth() {
        return exact ? sineOfOne() : down(0.9 * sineOfOne());
    }

    /** 1 - cos(phi(n) - phi(n - 1)). */
    double neighbourGap() {
        double tangent = positionScale / (positionScale * positionScale + maxLength * Math.max(0, maxLength - 1.0));
        double sine = Math.sin(Math.atan(tangent) / 2);
        return 2 * sine * sine;
    }

    /**
     * 2^floor(log2(n / A)), at least 1: a factor of a layer's first map that prevents underflow of squared means. If
     * the constants are exact, it is 1.
     */
    double firstMap(double scale) {
        return exact ? 1 : Math.max(1, Math.scalb(1.0, Math.getExponent(maxLength / scale)));
    }

    /** {@code x}, rounded up to few bits unless the constants are exact. */
    double up(double x) {
        return exact ? x : LayerWriter.toBits(x, FEW_BITS, Math::ceil);
    }

    /** {@code x}, rounded down to few bits unless the constants are exact. */
    double down(double x) {
        return exact ? x : LayerWriter.toBits(x, FEW_BITS, Math::floor);
    }
}
