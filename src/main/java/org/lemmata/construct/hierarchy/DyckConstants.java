package org.lemmata.construct.hierarchy;

import org.lemmata.argument.Refuse;

/**
 * The constants of theorems 1 and 2, by rule from the maximum length n and depth D. They grow with both: a network that
 * serves all lengths does not come of them.
 *
 * <p>Position i is the angle atan(i / A1) and depth d the angle atan(d / A2). Between neighbouring positions scores
 * differ by at least about g = A1 / (A1² + n²), between the most a position gives and the least by s + g at most, s = n
 * / sqrt(A1² + n²); cosines of neighbouring depths differ by at least Delta = 1 - cos atan(A2 / (A2² + D (D - 1))). So
 * C1 = (s + g) / Delta puts depth before position, and C2 = ln(n / eta) / g leaves at most eta to all other tokens.
 *
 * <p>A score C1 cos tells neighbouring depths apart by 1, so rounding moves it by C1 u, where positions differ by g: so
 * about log2(1 / (Delta g)) significand bits decide, and log2(2 / (Delta g)) suffice for every rounding error that
 * there can be (docs/finite-precision-law.md). That is least at A1 = n, A2 = sqrt(D (D - 1)), where it is about log2(n
 * D (D - 1)) + 5.
 *
 * <p>Source: Hayakawa and Sato (2024), appendix G; the paper leaves the constants open, the rule is ours.
 *
 * @param maxLength n: brackets, at least 1
 * @param maxDepth D: brackets that are open at once in the prefixes that are balanced so far, from 1 to n
 * @param positionScale A1 = e^a of layer 1
 * @param depthScale A2 = e^a of the layers that count depths
 * @param bits significand bits that tensors are to have, and that weights are rounded to
 * @param exact whether other constants are as the rule says, and not rounded up to {@value #FEW_BITS} bits
 */
public record DyckConstants(
        int maxLength, int maxDepth, double positionScale, double depthScale, int bits, boolean exact) {

    /** Those of binary64. */
    public static final int EXACT_BITS = 53;

    /** With so many, a constant is at most 1/8 more than it has to be. */
    private static final int FEW_BITS = 4;

    /** Weights and constants that do not depend on n have no more. */
    static final int LEAST_BITS = 8;

    /** A score adds three terms of its own magnitude, and a norm four squares: docs/finite-precision-law.md. */
    private static final int MORE_IN_SUMS = 2;

    public DyckConstants {
        Refuse.below("maxLength", maxLength, 1);
        Refuse.outside("maxDepth", maxDepth, 1, maxLength);
        if (!(positionScale > 0 && depthScale > 0)) {
            throw new IllegalArgumentException(
                    "scales: expected positive numbers, got " + positionScale + " and " + depthScale);
        }
    }

    /** A1 about n and A2 about sqrt(D (D - 1)), powers of two, which every format has, and as few bits as suffice. */
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

    /** A1 = A2 = n, and nothing rounded. */
    public static DyckConstants shared(int maxLength, int maxDepth) {
        return new DyckConstants(maxLength, maxDepth, maxLength, maxLength, EXACT_BITS, true);
    }

    /** The same with weights of other bits. */
    public DyckConstants withBits(int newBits) {
        return new DyckConstants(maxLength, maxDepth, positionScale, depthScale, newBits, exact);
    }

    /** By the same rule for fewer brackets, half of which are open at once where that is so here. */
    DyckConstants shorter(int length) {
        int depth = maxDepth == Math.max(1, maxLength / 2) ? Math.max(1, length / 2) : Math.min(maxDepth, length);
        return exact ? shared(length, depth) : of(length, depth);
    }

    /** How many brackets may be open at once in a word that is decided: a deeper one is none if D is half of n. */
    int wordDepth() {
        return maxDepth >= maxLength / 2 ? maxLength : maxDepth;
    }

    private static double nearestPowerOfTwo(double x) {
        return Math.scalb(1.0, (int) Math.rint(Math.log(x) / Math.log(2)));
    }

    /** g. */
    public double positionGap() {
        return positionScale / (positionScale * positionScale + (double) maxLength * maxLength);
    }

    /** Delta. */
    public double depthGap() {
        double tangent = depthScale / (depthScale * depthScale + maxDepth * (maxDepth - 1.0));
        double sine = Math.sin(Math.atan(tangent) / 2);
        return 2 * sine * sine;
    }

    /** log2(1 / (Delta g)). */
    public double law() {
        return -Math.log(depthGap() * positionGap()) / Math.log(2);
    }

    /** The significand bits of tensors with which every decision is right: ceil(log2(2 / (Delta g))). */
    public int neededBits() {
        return (int) Math.ceil(law()) + 1;
    }

    /** The significand bits of sums with which it is, if tensors have at least {@link #neededBits()}. */
    public int neededSumBits() {
        return neededBits() + MORE_IN_SUMS;
    }

    /** C1. */
    double depthWeight() {
        return up((maxLength / Math.hypot(positionScale, maxLength) + positionGap()) / depthGap());
    }

    /** C2 = ln(n / eta) / g; a power of two, so that keys are cosines and sines without another rounding. */
    double scoreWeight(double eta) {
        double weight = Math.log(maxLength / eta) / positionGap();
        return exact ? weight : LayerWriter.toBits(weight, 1, Math::ceil);
    }

    /** sin theta(1) = 1 / sqrt(1 + A2²). */
    double sineOfOne() {
        return 1 / Math.hypot(1, depthScale);
    }

    /** eps of a step from 0 to sin theta(1), with room for rounding. */
    double stepWidth() {
        return exact ? sineOfOne() : down(0.9 * sineOfOne());
    }

    /** 1 - cos(phi(n) - phi(n - 1)). */
    double neighbourGap() {
        double tangent = positionScale / (positionScale * positionScale + maxLength * Math.max(0, maxLength - 1.0));
        double sine = Math.sin(Math.atan(tangent) / 2);
        return 2 * sine * sine;
    }

    /** 2^floor(log2(n / A)), at least 1: the first map of a layer times it keeps squares of means from underflow. */
    double firstMap(double scale) {
        return exact ? 1 : Math.max(1, Math.scalb(1.0, Math.getExponent(maxLength / scale)));
    }

    /** At least {@code x}. */
    double up(double x) {
        return exact ? x : LayerWriter.toBits(x, FEW_BITS, Math::ceil);
    }

    /** At most {@code x}. */
    double down(double x) {
        return exact ? x : LayerWriter.toBits(x, FEW_BITS, Math::floor);
    }
}
