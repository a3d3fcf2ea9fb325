package org.lemmata.construct.hierarchy;

/**
 * The constants of theorems 1 and 2, by rule from the maximum length n and depth D. They grow with both: a network that
 * serves all lengths does not come of them.
 *
 * <p>Position i is the angle atan(i / A1) and depth d the angle atan(d / A2). Between neighbouring positions scores
 * differ by at least about g = A1 / (A1² + n²), between the most a position gives and the least by s + g at most, s = n
 * / sqrt(A1² + n²); cosines of neighbouring depths differ by at least Delta = 1 - cos atan(A2 / (A2² + D (D - 1))). So
 * C1 = (s + g) / Delta puts depth before position, and C2 = ln(n / eta) / g leaves at most eta to all other tokens.
 *
 * <p>A score C1 cos takes C1 from 1 apart from neighbouring depths, and rounding it moves it by C1 u: two positions
 * stay apart if that is below g, so that log2(1 / (Delta g)) bits are needed. That is least at A1 = n, A2 = sqrt(D (D -
 * 1)), where it is about log2(n D (D - 1)) + 4.
 *
 * <p>Source: Hayakawa and Sato (2024), appendix G; the paper leaves the constants open, the rule is ours.
 *
 * @param maxLength n: brackets, at least 1
 * @param maxDepth D: brackets that are open at once in the prefixes that are balanced so far, from 1 to n
 * @param positionScale A1 = e^a of layer 1
 * @param depthScale A2 = e^a of the layers that count depths
 * @param bits significand bits that weights are rounded to; with {@value #EXACT_BITS}, other constants are as the rule
 *     says, and with fewer they are rounded up to {@value #FEW_BITS}
 */
public record DyckConstants(int maxLength, int maxDepth, double positionScale, double depthScale, int bits) {

    /** Those of binary64. */
    public static final int EXACT_BITS = 53;

    /** With so many, a constant is at most 1/8 more than it has to be. */
    private static final int FEW_BITS = 4;

    /** Weights and constants that do not depend on n have no more. */
    private static final int LEAST_BITS = 8;

    public DyckConstants {
        if (maxLength < 1) {
            throw new IllegalArgumentException("maxLength: expected at least 1, got " + maxLength);
        }
        if (maxDepth < 1 || maxDepth > maxLength) {
            throw new IllegalArgumentException("maxDepth: expected 1 to " + maxLength + ", got " + maxDepth);
        }
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
                LEAST_BITS);
        return constants.withBits(Math.max(LEAST_BITS, constants.neededBits()));
    }

    /** A1 = A2 = n, and nothing rounded. */
    public static DyckConstants shared(int maxLength, int maxDepth) {
        return new DyckConstants(maxLength, maxDepth, maxLength, maxLength, EXACT_BITS);
    }

    /** The same with weights of other bits. */
    public DyckConstants withBits(int newBits) {
        return new DyckConstants(maxLength, maxDepth, positionScale, depthScale, newBits);
    }

    /** By the same rule for fewer brackets, half of which are open at once where that is so here. */
    DyckConstants shorter(int length) {
        int depth = maxDepth == Math.max(1, maxLength / 2) ? Math.max(1, length / 2) : Math.min(maxDepth, length);
        return isExact() ? shared(length, depth) : of(length, depth);
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

    /** The significand bits with which every decision is right, by the law. */
    public int neededBits() {
        return (int) Math.ceil(law());
    }

    /** C1. */
    double depthWeight() {
        return up((maxLength / Math.hypot(positionScale, maxLength) + positionGap()) / depthGap());
    }

    /** C2 = ln(n / eta) / g. */
    double scoreWeight(double eta) {
        return up(Math.log(maxLength / eta) / positionGap());
    }

    /** sin theta(1) = 1 / sqrt(1 + A2²). */
    double sineOfOne() {
        return 1 / Math.hypot(1, depthScale);
    }

    /** eps of a step from 0 to sin theta(1), with room for rounding. */
    double stepWidth() {
        return isExact() ? sineOfOne() : down(0.9 * sineOfOne());
    }

    /** 1 - cos(phi(n) - phi(n - 1)). */
    double neighbourGap() {
        double tangent = positionScale / (positionScale * positionScale + maxLength * Math.max(0, maxLength - 1.0));
        double sine = Math.sin(Math.atan(tangent) / 2);
        return 2 * sine * sine;
    }

    /** Whether constants are as the rule has them. */
    boolean isExact() {
        return bits == EXACT_BITS;
    }

    /** 2^floor(log2(n / A)), at least 1: the first map of a layer times it keeps squares of means from underflow. */
    double firstMap(double scale) {
        return isExact() ? 1 : Math.max(1, Math.scalb(1.0, Math.getExponent(maxLength / scale)));
    }

    /** At least {@code x}. */
    double up(double x) {
        return isExact() ? x : LayerWriter.toBits(x, FEW_BITS, Math::ceil);
    }

    /** At most {@code x}. */
    double down(double x) {
        return isExact() ? x : LayerWriter.toBits(x, FEW_BITS, Math::floor);
    }
}
