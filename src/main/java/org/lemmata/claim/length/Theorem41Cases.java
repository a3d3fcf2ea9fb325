package org.lemmata.claim.length;

import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.random.RandomGenerator;
import org.lemmata.construct.length.GeneralizationBound;
import org.lemmata.construct.length.LimitAttention;
import org.lemmata.construct.length.LimitFunction;
import org.lemmata.construct.length.LogitMargin;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.model.Architecture;
import org.lemmata.model.AttentionOptions;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.FeedForwardOptions;
import org.lemmata.model.NormalizationOptions;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.PositionOptions;

/**
 * Random pairs of limit transformers with a long sequence, for tests of theorem 4.1 of Izzo, Nichani and Lee (2025).
 */
final class Theorem41Cases {

    static final String STRING = "appendix A.1, the auxiliary string";

    static final String BOUND = "theorem 4.1";

    /**
     * Two limit transformers f and g, and a string x.
     *
     * @param e the allowed total variation distance
     * @param bound the maximum allowed length of the auxiliary string z
     * @param hardmaxLength the hardmax length of both heads
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Case(LimitFunction f, LimitFunction g, int[] x, double e, long hardmaxLength, long bound) {

        String text() {
            LimitAttention head = f.attention();
            return head.tokens() + " tokens, Delta = " + head.period() + ", tau = "
                    + Math.max(head.locality(), g.attention().locality()) + ", p = " + head.bits() + ", e = " + e
                    + ", |x| = " + x.length;
        }
    }

    /**
     * Draws a case with 2 to 4 tokens, Delta = 1 to 3, tau = 0 to 2, p = 1 to 12 and margins of at least 1; |x| is 1 to
     * 4 times the bound.
     */
    static Case draw(List<Double> resolutions, RandomGenerator random) {
        int tokens = random.nextInt(2, 5);
        int period = random.nextInt(1, 4);
        int bits = random.nextInt(1, 13);
        int kind = random.nextInt(3);
        LimitFunction f = function(kind, tokens, period, bits, random);
        LimitFunction g = function(kind, tokens, period, bits, random);
        double e = resolutions.get(random.nextInt(resolutions.size()));
        long hardmax = LogitMargin.hardmaxLength(f.attention(), g.attention());
        int tau = Math.max(f.attention().locality(), g.attention().locality());
        long bound = GeneralizationBound.stringLength(tokens, period, tau, hardmax, e);
        int[] x = sequence(tokens, period, (int) (bound * (1 + 3 * random.nextDouble())), random);
        return new Case(f, g, x, e, hardmax, bound);
    }

    private static LimitFunction function(int kind, int tokens, int period, int bits, RandomGenerator random) {
        return switch (kind) {
            case 0 -> ofWeights(tokens, period, bits, random);
            case 1 -> ofTables(tokens, period, bits, random);
            default ->
                LimitFunction.linear(
                        attention(tokens, period, bits, 1, () -> random.nextBoolean() ? 1 : -1, random),
                        new double[] {1});
        };
    }

    private static LimitAttention attention(
            int tokens, int period, int bits, int width, DoubleSupplier values, RandomGenerator random) {
        int classes = tokens * period;
        return new LimitAttention(
                tokens,
                period,
                matrix(classes, classes, () -> random.nextInt(3)),
                matrix(1, random.nextInt(1, 4), () -> random.nextInt(-1, 2))[0],
                matrix(classes, width, values),
                bits);
    }

    /** A function with random tables of scores, a feed-forward part, and optionally a residual. */
    private static LimitFunction ofTables(int tokens, int period, int bits, RandomGenerator random) {
        int classes = tokens * period;
        LimitAttention attention = attention(tokens, period, bits, 2, () -> random.nextDouble(-1, 1), random);
        return new LimitFunction(
                attention,
                random.nextBoolean() ? matrix(classes, 2, () -> random.nextDouble(-1, 1)) : null,
                matrix(2, 3, () -> random.nextDouble(-1, 1)),
                matrix(1, 3, () -> random.nextDouble(-1, 1))[0],
                matrix(3, 2, () -> random.nextDouble(-1, 1)),
                matrix(1, 2, () -> random.nextDouble(-1, 1))[0],
                0);
    }

    static double[][] matrix(int rows, int columns, DoubleSupplier draw) {
        double[][] matrix = new double[rows][columns];
        for (double[] row : matrix) {
            Arrays.setAll(row, column -> draw.getAsDouble());
        }
        return matrix;
    }

    /** The function of a transformer with integer weights; its scores are therefore integers. */
    private static LimitFunction ofWeights(int tokens, int period, int bits, RandomGenerator random) {
        var architecture = new Architecture(
                new Architecture.Size(tokens, 1 << 20, 2, 1),
                PositionOptions.periodic(period),
                AttentionOptions.softmax(1, 2)
                        .withWeighting(Weighting.THRESHOLDED, bits)
                        .withScores(1, LogLength.SEQUENCE, random.nextInt(4)),
                new FeedForwardOptions(3, Activation.Kind.RELU, true, true),
                NormalizationOptions.none(),
                random.nextBoolean(),
                OutputOptions.regression(true),
                0);
        double[] values = new double[architecture.parameterCount()];
        Arrays.setAll(values, i -> random.nextInt(-1, 2));
        return LimitFunction.of(new ExactParameters(architecture, values));
    }

    private static int[] sequence(int tokens, int period, int length, RandomGenerator random) {
        double[] weights = random.doubles((long) tokens * period)
                .map(u -> u < 0.3 ? 0 : Math.pow(10, -4 * random.nextDouble()))
                .toArray();
        int[] x = new int[length];
        for (int j = 0; j < length; j++) {
            int residue = j % period;
            double total = 0;
            for (int token = 0; token < tokens; token++) {
                total += weights[token * period + residue];
            }
            double left = random.nextDouble() * total - weights[residue];
            int token = 0;
            while (left >= 0 && token < tokens - 1) {
                token++;
                left -= weights[token * period + residue];
            }
            x[j] = token;
        }
        return x;
    }
}
