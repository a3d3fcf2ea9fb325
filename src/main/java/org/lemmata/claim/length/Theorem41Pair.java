package org.lemmata.claim.length;

import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.lemmata.construct.length.GeneralizationBound;
import org.lemmata.construct.length.LimitAttention;
import org.lemmata.construct.length.LimitFunction;
import org.lemmata.construct.length.PositionCounts;

/**
 * Two limit transformers and their maximum difference, computed over all inputs up to a length, and estimated over
 * longer inputs by random search.
 *
 * @param name the name in messages
 * @param epsilon the allowed increase of the difference beyond N
 * @param looked the length up to which all inputs are tested, unless N is smaller
 */
record Theorem41Pair(String name, LimitFunction f, LimitFunction g, double epsilon, int looked) {

    private static final int LONGER_INPUTS = 3_000;

    /** The number of random changes to the worst longer input. A change is kept unless it reduces the difference. */
    private static final int CHANGES = 1_000;

    /** The approximate maximum ratio of the length of longer inputs to the length up to which all inputs are tested. */
    private static final double LONGEST = 1_000;

    /**
     * The maximum differences of a pair.
     *
     * @param upTo delta for each length: element n is the maximum over all inputs of at most n tokens
     * @param anywhere the maximum |f - g| found at any length
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Agreement(double[] upTo, double anywhere) {

        /** delta for a length, or for the maximum tested length if that is smaller. */
        double delta(long length) {
            return upTo[(int) Math.min(length, upTo.length - 1)];
        }

        /**
         * The smallest N for which delta + epsilon is at least {@code anywhere}; if there is none, the maximum tested
         * length plus 1.
         */
        int minLength(double epsilon) {
            int n = 1;
            while (n < upTo.length && !(anywhere <= upTo[n] + epsilon)) {
                n++;
            }
            return n;
        }
    }

    /**
     * Tests all inputs of up to min(length, looked) tokens, random longer inputs, and changes of the worst longer
     * input.
     */
    Agreement agreement(long length, RandomGenerator random) {
        LimitAttention head = f.attention();
        int tau = Math.max(head.locality(), g.attention().locality());
        double[] upTo = new double[(int) Math.min(length, looked) + 1];
        for (int n = 1; n < upTo.length; n++) {
            int at = n;
            upTo[n] = upTo[n - 1];
            EveryInput.forEach(head.tokens(), head.period(), tau, n, x -> upTo[at] = Math.max(upTo[at], difference(x)));
        }
        PositionCounts worst = draw(upTo.length + 1L, tau + 1, random);
        for (int i = 0; i < LONGER_INPUTS + CHANGES; i++) {
            double n = (upTo.length + 1) * Math.pow(LONGEST, random.nextDouble());
            PositionCounts next = i < LONGER_INPUTS ? draw((long) n, tau + 1, random) : changed(worst, random);
            worst = difference(next) >= difference(worst) ? next : worst;
        }
        return new Agreement(upTo, Math.max(upTo[upTo.length - 1], difference(worst)));
    }

    /** The input with some occurrences of a token replaced by another, at one residue. */
    private PositionCounts changed(PositionCounts x, RandomGenerator random) {
        int tokens = x.tokens();
        int period = x.period();
        long[] counts = IntStream.range(0, tokens * period).mapToLong(x::count).toArray();
        int residue = random.nextInt(period);
        int from = random.nextInt(tokens) * period + residue;
        long moved = (long) Math.pow(counts[from] + 0.5, random.nextDouble());
        long some = Math.min(moved, counts[from]);
        counts[from] -= some;
        counts[random.nextInt(tokens) * period + residue] += some;
        return new PositionCounts(tokens, period, counts, x.tail());
    }

    private double difference(PositionCounts x) {
        return Math.abs(f.value(x) - g.value(x));
    }

    private PositionCounts draw(long length, int tailLength, RandomGenerator random) {
        int tokens = f.attention().tokens();
        int period = f.attention().period();
        long[] counts = new long[tokens * period];
        for (int residue = 0; residue < period; residue++) {
            long left = (length - tailLength - residue + period - 1) / period;
            int first = random.nextInt(tokens);
            for (int k = 0; k < tokens; k++) {
                int at = (first + k) % tokens * period + residue;
                boolean last = k == tokens - 1;
                counts[at] = last ? left : (long) Math.floor(Math.pow(left + 1.0, random.nextDouble())) - 1;
                left -= counts[at];
            }
        }
        return new PositionCounts(
                tokens, period, counts, random.ints(tailLength, 0, tokens).toArray());
    }

    /** Random f and g. If {@code spread} is positive, g differs from f only in its values, by up to {@code spread}. */
    static Theorem41Pair random(int tokens, int period, int tau, double e, double spread, RandomGenerator random) {
        int classes = tokens * period;
        int bits = random.nextInt(1, 5);
        boolean near = spread > 0;
        double[][] scores = integers(classes, classes, random);
        double[] biases = integers(1, tau + 1, random)[0];
        double[][] values = reals(classes, 1, random);
        double[][] first = reals(1, 3, random);
        double[] firstBias = reals(1, 3, random)[0];
        double[][] second = reals(3, 1, random);
        double[][] otherValues = reals(classes, 1, random);
        for (int c = 0; near && c < classes; c++) {
            otherValues[c][0] = values[c][0] + spread * otherValues[c][0];
        }
        LimitFunction f =
                relu(new LimitAttention(tokens, period, scores, biases, values, bits), first, firstBias, second, 1);
        LimitFunction g = relu(
                new LimitAttention(
                        tokens,
                        period,
                        near ? scores : integers(classes, classes, random),
                        near ? biases : integers(1, tau + 1, random)[0],
                        otherValues,
                        bits),
                near ? first : reals(1, 3, random),
                near ? firstBias : reals(1, 3, random)[0],
                near ? second : reals(3, 1, random),
                1);
        return new Theorem41Pair(
                (near ? "near" : "random") + ", " + tokens + " tokens, Delta = " + period + ", tau = " + tau + ", p = "
                        + bits,
                f,
                g,
                2 * e * (f.norm() + g.norm()),
                Integer.MAX_VALUE - 1);
    }

    private static LimitFunction relu(
            LimitAttention attention, double[][] first, double[] bias, double[][] second, double readout) {
        return new LimitFunction(attention, null, first, bias, second, new double[] {readout}, 0);
    }

    private static double[][] integers(int rows, int columns, RandomGenerator random) {
        return Theorem41Cases.matrix(rows, columns, () -> random.nextInt(3));
    }

    private static double[][] reals(int rows, int columns, RandomGenerator random) {
        return Theorem41Cases.matrix(rows, columns, () -> random.nextDouble(-1, 1));
    }

    /**
     * f prefers token 0 by a margin of 1 / log2(H) at one bit; g attends to all tokens equally. Below H tokens, f gives
     * each other token more than half of the weight of a token 0; from H tokens on, f gives other tokens no weight.
     */
    static Theorem41Pair late(int logOfHardmaxLength, double e) {
        double margin = 1.0 / logOfHardmaxLength;
        double[][] values = {{1}, {0}};
        double[] readout = {1};
        var f = LimitFunction.linear(
                new LimitAttention(2, 1, new double[][] {{margin, 0}, {margin, 0}}, new double[] {0}, values, 1),
                readout);
        var g = LimitFunction.linear(new LimitAttention(2, 1, new double[2][2], new double[] {0}, values, 1), readout);
        int hardmaxLength = 1 << logOfHardmaxLength;
        return new Theorem41Pair(
                "hardmax from " + hardmaxLength + " on", f, g, 2 * e * (f.norm() + g.norm()), hardmaxLength);
    }

    /**
     * f = 0. g is a tent function of the share of token 0, nonzero between 0 and 1 / m, with slope kappa |u| and height
     * kappa |u| / (2m). No input of at most m tokens has a share in this range.
     *
     * @param readout |u|
     */
    static Theorem41Pair hidden(int m, double readout, double kappa, double epsilon) {
        var attention = new LimitAttention(2, 1, new double[2][2], new double[] {0}, new double[][] {{1}, {0}}, 1);
        return new Theorem41Pair(
                "hidden below 1/" + m + ", |u| = " + readout,
                tent(attention, m, 0, readout),
                tent(attention, m, kappa, readout),
                epsilon,
                4 * m);
    }

    /**
     * f is a tent, as in {@link #hidden}, over the share of token 0 among tokens 0 and 1. g is an inverted tent over
     * the share of token 1 among tokens 1 and 2. Short inputs can show one tent. To show both at once, an input must
     * have more than m - 1 tokens 1 per token 0, and more than m - 1 tokens 2 per token 1. Therefore N grows as m², and
     * m as 1 / epsilon. With two tokens, N would grow only as 1 / epsilon.
     */
    static Theorem41Pair nested(int m) {
        return new Theorem41Pair(
                "nested below 1/" + m,
                tent(attending(0, 1), m, 1, 1),
                tent(attending(1, 2), m, -1, 1),
                0.9 / (2 * m),
                4 * m * m);
    }

    /** Attention to two of three tokens, with value 1 for the first of the two. */
    private static LimitAttention attending(int first, int second) {
        double[][] scores = new double[3][3];
        double[][] values = new double[3][1];
        values[first][0] = 1;
        for (double[] row : scores) {
            row[first] = 1;
            row[second] = 1;
        }
        return new LimitAttention(3, 1, scores, new double[] {0}, values, 1);
    }

    /** A tent over values between 0 and 1 / m, with height kappa |u| / (2m). */
    private static LimitFunction tent(LimitAttention attention, int m, double kappa, double readout) {
        double half = 1.0 / (2 * m);
        return relu(
                attention,
                new double[][] {{1, 1, 1}},
                new double[] {0, -half, -2 * half},
                new double[][] {{kappa}, {-2 * kappa}, {kappa}},
                readout);
    }

    /**
     * At one bit, f prefers the last residue of each period by a margin of 1; g prefers all other residues. Both output
     * the share of token 1 among the attended positions, plus the output 0 of a feed-forward part.
     *
     * @param period Delta, above the hardmax length of 2
     */
    static Theorem41Pair ofOneResidue(int period, double epsilon, int looked) {
        return new Theorem41Pair(
                "of one residue of " + period + ", |A| |B| = 0.0",
                ofLastResidue(period, 1),
                ofLastResidue(period, -1),
                epsilon,
                looked);
    }

    private static LimitFunction ofLastResidue(int period, double score) {
        int classes = 2 * period;
        double[][] scores = new double[classes][classes];
        double[][] values = new double[classes][1];
        for (int c = 0; c < classes; c++) {
            int token = c / period;
            values[c][0] = token;
            for (double[] row : scores) {
                row[c] = c % period == period - 1 ? score : 0;
            }
        }
        var attention = new LimitAttention(2, period, scores, new double[] {0}, values, 1);
        double[][] none = {{0}};
        return new LimitFunction(attention, new double[classes][1], none, none[0], none, new double[] {1}, 0);
    }

    GeneralizationBound bound() {
        return GeneralizationBound.of(f, g, epsilon);
    }
}
