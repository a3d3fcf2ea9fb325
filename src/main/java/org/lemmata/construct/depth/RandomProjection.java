package org.lemmata.construct.depth;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.lemmata.argument.Refuse;

/**
 * E, a random projection of t one-hot vectors to d columns with |E_i|² within 1 ± epsilon and |E_i - E_j|² within 2 (1
 * ± epsilon).
 *
 * <p>Elements are drawn from N(0, 1/d) and rounded to multiples of 2^-12, which binary32 represents exactly. E is drawn
 * again until all distances are within the bounds. With d &gt;= 4 ln(m) / (epsilon²/2 - epsilon³/3) for m points, one
 * draw preserves all distances with probability at least 1/m. About m draws suffice, each with t d numbers and m²/2
 * distances, so the time is polynomial.
 *
 * <p>The points are the t one-hot vectors and the origin, so m = t + 1. Without the origin, only differences would be
 * preserved: E = (0, (1, 1)) preserves the distance of two tokens exactly, but no v separates them. With the origin,
 * E_i E_jᵀ = (|E_i|² + |E_j|² - |E_i - E_j|²) / 2, so |E_i|² - E_i E_jᵀ = (|E_i|² - |E_j|² + |E_i - E_j|²) / 2 &gt;= 1
 * - 2 epsilon.
 *
 * <p>Source: Richard (2024), theorem 3.1, after Dasgupta and Gupta (2003), An elementary proof of a theorem of Johnson
 * and Lindenstrauss, theorem 2.1.
 *
 * @param embedding E, with one row per token
 * @param draws the number of draws until all distances were within the bounds
 */
@SuppressWarnings("ArrayRecordComponent") // The array is never changed or compared.
public record RandomProjection(double[][] embedding, int draws) {

    /** Elements are multiples of 1 / STEPS; at d = 4096, 1/sqrt(d) is 64 such steps. */
    private static final double STEPS = 0x1p12;

    /**
     * The smallest d in the projection lemma: 4 ln(points) / (epsilon²/2 - epsilon³/3), rounded up.
     *
     * @param points at least 1
     * @param epsilon within (0, 1)
     */
    public static int minWidth(int points, double epsilon) {
        Refuse.below("points", points, 1);
        Refuse.when(!(epsilon > 0 && epsilon < 1), "epsilon", "a number within (0, 1)", epsilon);
        double minimum = 4 * Math.log(points) / (epsilon * epsilon * (0.5 - epsilon / 3));
        return Math.max(1, (int) Math.ceil(minimum));
    }

    /**
     * Draws projections until one preserves all distances.
     *
     * @param tokens t, at least 2
     * @param width d, at least {@link #minWidth} for t + 1 points
     * @param epsilon within (0, 1)
     */
    public static RandomProjection draw(int tokens, int width, double epsilon, RandomGenerator random) {
        Refuse.below("tokens", tokens, 2);
        int minimum = minWidth(tokens + 1, epsilon);
        if (width < minimum) {
            throw new IllegalArgumentException("d: expected at least " + minimum + " columns for " + tokens
                    + " tokens and epsilon = " + epsilon + ", got " + width);
        }
        double[][] embedding = new double[tokens][width];
        int draws = 0;
        do {
            for (double[] row : embedding) {
                Arrays.setAll(row, column -> Math.rint(random.nextGaussian() / Math.sqrt(width) * STEPS) / STEPS);
            }
            draws++;
        } while (distortion(embedding) > epsilon);
        return new RandomProjection(embedding, draws);
    }

    /**
     * The smallest epsilon for which every |E_i|² is within 1 ± epsilon and every |E_i - E_j|² within 2 (1 ± epsilon).
     */
    public static double distortion(double[][] embedding) {
        double[] squares = squares(embedding);
        double maximum = 0;
        for (int i = 0; i < embedding.length; i++) {
            maximum = Math.max(maximum, Math.abs(squares[i] - 1));
            for (int j = 0; j < i; j++) {
                double distance = squares[i] + squares[j] - 2 * product(embedding[i], embedding[j]);
                maximum = Math.max(maximum, Math.abs(distance / 2 - 1));
            }
        }
        return maximum;
    }

    /** min_i (|E_i|² - max_{j != i} E_i E_jᵀ), infinite for one token. */
    public static double gap(double[][] embedding) {
        return Arrays.stream(gaps(embedding)).min().orElse(Double.POSITIVE_INFINITY);
    }

    /** |E_i|² - max_{j != i} E_i E_jᵀ for each token i. */
    public static double[] gaps(double[][] embedding) {
        double[] squares = squares(embedding);
        double[] gaps = new double[embedding.length];
        Arrays.fill(gaps, Double.POSITIVE_INFINITY);
        for (int i = 0; i < embedding.length; i++) {
            for (int j = 0; j < i; j++) {
                double product = product(embedding[i], embedding[j]);
                gaps[i] = Math.min(gaps[i], squares[i] - product);
                gaps[j] = Math.min(gaps[j], squares[j] - product);
            }
        }
        return gaps;
    }

    private static double[] squares(double[][] embedding) {
        return Arrays.stream(embedding).mapToDouble(row -> product(row, row)).toArray();
    }

    private static double product(double[] x, double[] y) {
        double sum = 0;
        for (int i = 0; i < x.length; i++) {
            sum += x[i] * y[i];
        }
        return sum;
    }
}
