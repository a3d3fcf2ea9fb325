package org.lemmata.construct.length;

import it.unimi.dsi.fastutil.doubles.DoubleRBTreeSet;
import java.util.Arrays;
import org.lemmata.argument.Refuse;

/**
 * gamma(f) = min over queries (y, i) of the smallest positive difference of two logits that (y, i) may have, and the
 * length 2^(p / gamma) from which thresholded softmax equals hardmax.
 *
 * <p>The logits are A[(y, i), (z, i - k)] + phi(k) for every token z and, as printed, only the distances k = 0 ... tau.
 * This omits larger distances, where phi = 0: the <em>corrected</em> set also has A[(y, i), (z, j)] for every token z
 * and residue j. The printed margin is never below the corrected one. It may be infinite although short sequences
 * differ from hardmax: with one token, Delta = 1, tau = 0 and phi(0) = 0.37, there is a single printed logit, but the
 * corrected margin is 0.37.
 *
 * <p>Logits tie if they are equal binary64 numbers. The binary64 numbers 0.1 and 0.2 have a sum above 0.3, exactly and
 * rounded, so a score of 0.1 with phi = 0.2 and a score of 0.3 have a margin of 6e-17, which {@link #hardmaxLength}
 * rejects. Scores and biases that are multiples of one power of two add exactly.
 *
 * <p>The corrected margin is safe but not always sharp: a difference counts even if its larger logit is not the maximum
 * in any sequence.
 *
 * <p>Source: Izzo, Nichani and Lee (2025), section 3.2.
 */
public final class LogitMargin {

    private static final int MAX_EXPONENT = 45;

    /** If a rejected margin is below this number, the message suggests a tie that rounding broke. */
    private static final double TIE = 0x1p-40;

    private LogitMargin() {}

    /** gamma(f) only over the distances 0 ... tau; infinite if each query has one logit. */
    public static double printed(LimitAttention attention) {
        return margin(attention, false);
    }

    /** gamma(f) over all distances. */
    public static double corrected(LimitAttention attention) {
        return margin(attention, true);
    }

    private static double margin(LimitAttention attention, boolean allDistances) {
        double minimum = Double.POSITIVE_INFINITY;
        for (int query = 0; query < attention.classes(); query++) {
            double[] logits = logits(attention, query, allDistances);
            for (int i = 1; i < logits.length; i++) {
                minimum = Math.min(minimum, logits[i] - logits[i - 1]);
            }
        }
        return minimum;
    }

    private static double[] logits(LimitAttention attention, int query, boolean allDistances) {
        var logits = new DoubleRBTreeSet();
        int period = attention.period();
        for (int token = 0; token < attention.tokens(); token++) {
            for (int distance = 0; distance <= attention.locality(); distance++) {
                int residue = Math.floorMod(query % period - distance, period);
                // Adding 0.0 converts -0.0 to 0.0, because the set would distinguish them.
                logits.add(attention.logit(query, token * period + residue, distance) + 0.0);
            }
            for (int residue = 0; allDistances && residue < period; residue++) {
                logits.add(attention.logit(query, token * period + residue, Long.MAX_VALUE) + 0.0);
            }
        }
        return logits.toDoubleArray();
    }

    /**
     * The hardmax length: the smallest n &gt;= 1 with log2(n) gamma &gt;= p, which is ceil(2^(p / gamma)).
     *
     * @param bits p, at least 1
     * @param margin gamma, above 0; for infinity the length is 1
     * @throws IllegalArgumentException if the length is above 2^45, where binary64 can hardly distinguish log2(n) from
     *     log2(n + 1)
     */
    public static long hardmaxLength(int bits, double margin) {
        Refuse.when(bits < 1 || !(margin > 0), "bits, margin", "at least 1 and above 0", bits + ", " + margin);
        double exponent = bits / margin;
        if (exponent == 0) {
            return 1;
        }
        if (exponent > MAX_EXPONENT) {
            throw new IllegalArgumentException("margin: expected at least " + (double) bits / MAX_EXPONENT + " for "
                    + bits + " bits, got "
                    + margin
                    + (margin < TIE ? ", a tie except for rounding? Multiples of a power of two add exactly" : ""));
        }
        long length = Math.max(1, (long) Math.ceil(Math.pow(2, exponent)));
        while (length > 1 && vanishes(margin, length - 1, bits)) {
            length--;
        }
        while (!vanishes(margin, length, bits)) {
            length++;
        }
        return length;
    }

    /** The smallest length from which all these heads equal hardmax, by their corrected margins. */
    public static long hardmaxLength(LimitAttention... heads) {
        return Arrays.stream(heads)
                .mapToLong(head -> hardmaxLength(head.bits(), corrected(head)))
                .max()
                .orElseThrow();
    }

    /**
     * log2(length) gap &gt;= bits: whether the weight 2^-(log2(length) gap), relative to the maximum, is rounded to 0.
     */
    static boolean vanishes(double gap, long length, int bits) {
        return gap > 0 && log2(length) * gap >= bits;
    }

    /** log2(n), exact for powers of two. */
    private static double log2(long n) {
        int floor = Long.SIZE - 1 - Long.numberOfLeadingZeros(n);
        return floor + StrictMath.log(Math.scalb((double) n, -floor)) / Math.log(2);
    }
}
