package org.lemmata.claim.symbol;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.NotTested;
import org.lemmata.claim.Tally;
import org.lemmata.construct.symbol.AttentionKernelDerivatives;

/**
 * Boix-Adsera et al. (2024), the table of appendix F.1, tested as lemma 4.7's proof uses it. In each stage of the
 * proof, two templates z and z' agree in the invariants of the earlier stages. X and X' are strings of z and z' with
 * one substitution, Y and Y' with another. In D(X, Y) + D(X', Y') - D(X, Y') - D(X', Y), terms of the derivative D that
 * depend on only one string cancel. The remaining terms must be the constant of the stage times its invariant.
 */
final class AttentionDerivatives {

    private static final long SEED = 61_000;
    private static final double ROUNDING = 1e-8;

    /** A stage of the proof, with the minimum length of templates that can differ in the stage's invariant. */
    private enum Stage {
        DEGREES(2, 0, 0, "c1", 1, 2),
        POSITIONS(2, 2, 2, "c2", 8, 2),
        HISTOGRAM(3, 4, 0, "c20", 24, 6),
        WILDCARD_DEGREES(3, 4, 2, "c16", 48, 4),
        WILDCARD_POSITIONS(4, 6, 4, "c25", 17_280, 4);

        private final int minLength;
        private final int beta;
        private final int gamma;
        private final String constant;
        private final int numerator;
        private final int power;

        /** The constant is {@code numerator} / k^{@code power}. */
        Stage(int minLength, int beta, int gamma, String constant, int numerator, int power) {
            this.minLength = minLength;
            this.beta = beta;
            this.gamma = gamma;
            this.constant = constant;
            this.numerator = numerator;
            this.power = power;
        }

        private List<?> given(int[] z) {
            List<Integer> positions =
                    Arrays.stream(z).map(symbol -> Math.max(symbol, 0)).boxed().toList();
            return switch (this) {
                case DEGREES -> List.of();
                case POSITIONS, HISTOGRAM -> positions.stream().sorted().toList();
                case WILDCARD_DEGREES -> List.of(positions, degrees(z).sum());
                case WILDCARD_POSITIONS -> List.of(positions, degrees(z).boxed().toList());
            };
        }

        private double invariant(int[] z, int[] other) {
            return switch (this) {
                case DEGREES ->
                    squares(IntStream.range(0, z.length + 1).map(token -> count(z, token) - count(other, token)));
                case POSITIONS ->
                    2
                            * IntStream.range(0, z.length)
                                    .filter(a -> Math.max(z[a], other[a]) >= 0 && z[a] != other[a])
                                    .mapToDouble(a -> z[a] >= 0 && other[a] >= 0 ? 1 : 0.5)
                                    .sum();
                case HISTOGRAM ->
                    squares(IntStream.range(0, z.length + 1).map(token -> count(z, token)))
                            * Math.pow(degrees(z).sum() - degrees(other).sum(), 2);
                case WILDCARD_DEGREES -> {
                    int[] ofOther = degrees(other).toArray();
                    int[] ofZ = degrees(z).toArray();
                    yield squares(IntStream.range(0, z.length).map(a -> ofZ[a] - ofOther[a]));
                }
                case WILDCARD_POSITIONS ->
                    squares(IntStream.range(0, z.length * z.length)
                            .map(at -> alike(z, at / z.length, at % z.length)
                                    - alike(other, at / z.length, at % z.length)));
            };
        }
    }

    private static int count(int[] z, int token) {
        return (int) Arrays.stream(z).filter(symbol -> symbol == token).count();
    }

    private static int alike(int[] z, int a, int b) {
        return z[a] == z[b] ? 1 : 0;
    }

    /** X Xᵀ 1: for each position, the number of positions with the same token. */
    private static IntStream degrees(int... z) {
        return Arrays.stream(z).map(symbol -> count(z, symbol));
    }

    private static double squares(IntStream values) {
        return values.mapToDouble(value -> (double) value * value).sum();
    }

    static final ComputedClaim CLAIM = ComputedClaim.asStated("symbol.table-f1", "appendix F.1", """
        Let X and Y be strings of length k as matrices of one-hot rows. The proof of lemma 4.7 compares templates in
        five stages, each by one derivative of K_attn(X, Y) in beta and gamma at beta = gamma = 0. For templates that
        the earlier stages cannot distinguish, all terms of the derivative except one depend on only X or only Y. The
        other term is 1ᵀXYᵀ1 / k² (the value itself; c1 in table F.1), 8 tr(XYᵀ) / k² (of order 2 in beta and 2 in
        gamma; c2), 24 (1ᵀXYᵀ1) (1ᵀXXᵀ1) (1ᵀYYᵀ1) / k⁶ (4 and 0; c20), 48 (1ᵀXXᵀYYᵀ1) / k⁴ (4 and 2; c16), or 17280
        tr(XXᵀYYᵀ) / k⁴ (6 and 4; c25). In our scan all powers of k are unreadable.
        """)
            .byBudget("seeds | 1..100000 | draws", "8", "60")
            .byBudget("length | 2..6 | of templates, at most", "4", "5")
            .range("{seeds} pairs of templates of each stage and of each length from 2 to {length} that has such,"
                    + " exactly")
            .test((scope, computation) -> check(scope.integer("seeds"), scope.integer("length"), 1));

    static final ComputedClaim PRINTED = ComputedClaim.printed(
                    "symbol.table-f1.printed",
                    "appendix F.1",
                    "The constants c2 and c20 of the terms in the proof of lemma 4.7 have the values that table F.1"
                            + " prints.")
            .untested(NotTested.TEXT.because(
                    "a scan, which reads \"8/k*\" and \"24/k5\", and \"48/k*\" where k⁴ is right; symbol.table-f1 has"
                            + " the correct values"));

    static Finding check(int draws, int maxLength, double factor) {
        var tally = new Tally();
        RandomGenerator random = Tally.random(SEED);
        for (Stage stage : Stage.values()) {
            for (int length = stage.minLength; length <= maxLength; length++) {
                double constant = factor * (stage.numerator / Math.pow(length, stage.power));
                Tally.Extreme errors =
                        tally.atMost("maximum relative error, " + stage.constant + ", k = " + length, "", ROUNDING);
                for (int draw = 0; draw < draws; draw++) {
                    int[][] pair = pair(stage, length, random);
                    double invariant = stage.invariant(pair[0], pair[1]);
                    double mixed = derivative(stage, pair[0], pair[0])
                            + derivative(stage, pair[1], pair[1])
                            - 2 * derivative(stage, pair[0], pair[1]);
                    double measured = mixed / (constant * invariant);
                    errors.add(
                            Math.abs(measured - 1),
                            () -> stage.constant + " = " + constant + " of " + TemplateDraw.text(pair[0]) + " and "
                                    + TemplateDraw.text(pair[1]) + ": " + measured + " times that was measured");
                }
            }
        }
        return tally.finding("every mixed difference is its constant times its invariant", SEED);
    }

    /**
     * Two random templates with up to two regular tokens that agree in the properties required by the stage, but not in
     * its invariant.
     */
    private static int[][] pair(Stage stage, int length, RandomGenerator random) {
        while (true) {
            int[] z = template(length, random);
            int[] other = template(length, random);
            if (stage.given(z).equals(stage.given(other)) && stage.invariant(z, other) > 0) {
                return new int[][] {z, other};
            }
        }
    }

    private static int[] template(int length, RandomGenerator random) {
        return random.ints(length, -length, 2)
                .map(symbol -> symbol < 0 ? symbol : symbol + 1)
                .toArray();
    }

    /** The derivative at one string of each template. The two strings have no wildcard tokens in common. */
    private static double derivative(Stage stage, int[] x, int[] y) {
        int k = x.length;
        int[] first = Arrays.stream(x)
                .map(symbol -> symbol >= 0 ? symbol : k + 1 - symbol)
                .toArray();
        int[] second = Arrays.stream(y)
                .map(symbol -> symbol >= 0 ? symbol : 2 * k + 1 - symbol)
                .toArray();
        return AttentionKernelDerivatives.of(first, second, stage.beta)[stage.gamma / 2];
    }
}
