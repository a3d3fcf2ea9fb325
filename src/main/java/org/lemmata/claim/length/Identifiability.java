package org.lemmata.claim.length;

import java.util.List;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;
import org.lemmata.construct.length.LimitAttention;
import org.lemmata.construct.length.LimitFunction;
import org.lemmata.construct.length.LogitMargin;
import org.lemmata.construct.length.PositionCounts;

/**
 * Izzo, Nichani and Lee (2025), sections 1 and 3.1: without finite precision, no N identifies a limit transformer from
 * inputs of at most N tokens.
 *
 * <p>If k of n tokens are 0, a head that prefers token 0 by gamma outputs 1 / (1 + ((n - k) / k) n^-gamma). Let f have
 * gamma = 1, g have gamma = 1 + eta, and both have L = 1. Their log odds differ by eta ln n, so |f - g| &lt;= eta ln n
 * / 4: with eta = 4 delta / ln N, they agree within delta on all inputs of at most N tokens. But with k = 1, f tends to
 * 1/2 and g to 1 as n grows, for every N. At p bits, both equal hardmax from 2^p tokens on. Parameters are real numbers
 * here; only the attention weights are rounded.
 */
final class Identifiability {

    private static final double DELTA = 0.02;

    private static final double EPSILON = 0.1;

    private static final double ROUNDING = 1e-12;

    /** A number of bits at which no weight is rounded to 0, for any length that fits in a long. */
    private static final int UNROUNDED = 1 << 30;

    static final ComputedClaim CLAIM = ComputedClaim.asStated(
                    "length.identifiability",
                    "sections 1 and 3.1",
                    """
                            Finite precision is necessary for a limit transformer to be identifiable from finite inputs.
                            Suppose that no attention weight is rounded to 0. Then for each N there are two limit
                            transformers, with L = 1 and gamma >= 1, that agree within
                            """ + DELTA + " on all inputs of at most N tokens but differ by more than "
                            + (float) (DELTA + EPSILON)
                            + " on a longer one. If attention weights of at most 2^-p times the largest are instead set"
                            + " to 0, the two have equal outputs from 2^p tokens on.")
            .settings("""
                N | 2..1024 | 8,16,64 | tokens up to which the two agree
                p | 1..30 | 4 | bits at which they agree beyond, too
                """)
            .range("""
                N = {N}, p = {p}; all inputs of at most N tokens, and longer ones to 4e18 tokens by their counts, each
                length 1.7 times the one before, with 1, 2, 4, 8, ... tokens 0
                """)
            .test((scope, computation) -> {
                int p = scope.integer("p");
                return check(scope.integers("N"), UNROUNDED, p, LogitMargin.hardmaxLength(p, 1));
            });

    /**
     * @param unrounded a number of bits at which no weight is rounded to 0
     * @param bits p
     * @param hardmaxLength the length from which heads of p bits must agree
     */
    static Finding check(List<Integer> lengths, int unrounded, int bits, long hardmaxLength) {
        var tally = new Tally();
        for (int n : lengths) {
            double eta = 4 * DELTA / Math.log(n);
            Difference upToN = upTo(n, eta, unrounded);
            Difference beyond = from(n + 1L, eta, unrounded);
            Difference rounded = from(Math.max(n + 1L, hardmaxLength), eta, bits);
            tally.require(
                    upToN.maximum() <= DELTA && beyond.maximum() > DELTA + EPSILON,
                    () -> "N = " + n + ": " + upToN + " up to N, " + beyond + " beyond, not rounded");
            tally.require(rounded.maximum() <= ROUNDING, () -> "N = " + n + ", p = " + bits + ": " + rounded);
            tally.atMost(
                    "|f - g| on all inputs of at most N = " + n + " tokens, not rounded",
                    upToN.maximum(),
                    "",
                    upToN.inputs(),
                    DELTA);
            tally.atLeast(
                    "|f - g| on " + (double) beyond.length() + " tokens, not rounded, N = " + n,
                    beyond.maximum(),
                    "",
                    beyond.inputs(),
                    DELTA + EPSILON);
            tally.atMost(
                    "|f - g| from " + Math.max(n + 1L, hardmaxLength) + " tokens on, p = " + bits + ", N = " + n,
                    rounded.maximum(),
                    "",
                    rounded.inputs(),
                    ROUNDING);
        }
        return tally.finding("the two agree up to N tokens, differ on a longer input, and agree at p bits");
    }

    /** The maximum |f - g| over the tried inputs, the length and zeros at the maximum, and the number of inputs. */
    private record Difference(double maximum, long length, long zeros, long inputs) {

        private static final Difference NONE = new Difference(0, 0, 0, 0);

        Difference with(LimitFunction f, LimitFunction g, PositionCounts x) {
            double difference = Math.abs(f.value(x) - g.value(x));
            return difference > maximum
                    ? new Difference(difference, x.length(), x.count(0) + 1 - x.tail()[0], inputs + 1)
                    : new Difference(maximum, length, zeros, inputs + 1);
        }

        @Override
        public String toString() {
            return "|f - g| = " + maximum + " on " + length + " tokens, " + zeros + " of them 0";
        }
    }

    private static LimitFunction function(double margin, int bits) {
        double[][] scores = {{margin, 0}, {margin, 0}};
        return LimitFunction.linear(
                new LimitAttention(2, 1, scores, new double[] {0}, new double[][] {{1}, {0}}, bits), new double[] {1});
    }

    private static Difference upTo(int n, double eta, int bits) {
        LimitFunction f = function(1, bits);
        LimitFunction g = function(1 + eta, bits);
        Difference[] maximum = {Difference.NONE};
        for (int length = 1; length <= n; length++) {
            EveryInput.forEach(2, 1, 0, length, x -> maximum[0] = maximum[0].with(f, g, x));
        }
        return maximum[0];
    }

    private static Difference from(long minimum, double eta, int bits) {
        LimitFunction f = function(1, bits);
        LimitFunction g = function(1 + eta, bits);
        Difference maximum = Difference.NONE;
        for (double length = minimum; length < 4e18; length = Math.ceil(1.7 * length)) {
            long n = (long) length;
            for (long zeros = 1; zeros < n; zeros *= 2) {
                // The last token is 1, because a 0 would change the number of zeros.
                maximum =
                        maximum.with(f, g, new PositionCounts(2, 1, new long[] {zeros, n - 1 - zeros}, new int[] {1}));
            }
        }
        return maximum;
    }
}
