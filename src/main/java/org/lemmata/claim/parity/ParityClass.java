package org.lemmata.claim.parity;

import java.math.BigInteger;
import java.util.stream.IntStream;

/** P: the parities of all subsets of k of d bits. An x in {-1, 1}^d is an int whose bit j is set if x_j = -1. */
@SuppressWarnings("ArrayRecordComponent") // The array is never changed or compared.
record ParityClass(int bits, int[] masks) {

    /** @param bits at most 20 */
    ParityClass(int bits, int size) {
        this(
                bits,
                IntStream.range(0, 1 << bits)
                        .filter(mask -> Integer.bitCount(mask) == size)
                        .toArray());
    }

    int count() {
        return masks.length;
    }

    int mask(int p) {
        return masks[p];
    }

    static int parity(int mask, int x) {
        return 1 - 2 * (Integer.bitCount(mask & x) & 1);
    }

    /** Replaces f by sum_x f(x) p(x) for the parities p of all 2^d subsets: the Walsh-Hadamard transform. */
    static void transform(double[] f) {
        for (int half = 1; half < f.length; half *= 2) {
            for (int begin = 0; begin < f.length; begin += 2 * half) {
                for (int i = begin; i < begin + half; i++) {
                    double sum = f[i] + f[i + half];
                    f[i + half] = f[i] - f[i + half];
                    f[i] = sum;
                }
            }
        }
    }

    /**
     * E_{p in P}[p(x)] for an x with m = {@code negatives} entries -1: sum_j (-1)^j C(m, j) C(d - m, k - j) / C(d, k).
     */
    static double mean(int bits, int size, int negatives) {
        BigInteger sum = BigInteger.ZERO;
        for (int j = 0; j <= Math.min(size, negatives); j++) {
            BigInteger term = binomial(negatives, j).multiply(binomial(bits - negatives, size - j));
            sum = j % 2 == 0 ? sum.add(term) : sum.subtract(term);
        }
        return sum.doubleValue() / binomial(bits, size).doubleValue();
    }

    /** E_x |E_p p(x)| over uniform x. */
    static double meanAbsolute(int bits, int size) {
        double sum = 0;
        for (int negatives = 0; negatives <= bits; negatives++) {
            sum += probability(bits, negatives) * Math.abs(mean(bits, size, negatives));
        }
        return sum;
    }

    static double probability(int bits, int negatives) {
        return Math.scalb(binomial(bits, negatives).doubleValue(), -bits);
    }

    /** C(n, k); 0 unless k is from 0 to n. */
    static BigInteger binomial(int n, int k) {
        if (k < 0 || k > n) {
            return BigInteger.ZERO;
        }
        BigInteger product = BigInteger.ONE;
        for (int i = 1; i <= Math.min(k, n - k); i++) {
            product = product.multiply(BigInteger.valueOf(n - i + 1)).divide(BigInteger.valueOf(i));
        }
        return product;
    }
}
