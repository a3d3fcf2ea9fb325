package org.lemmata.construct.hierarchy;

import java.math.BigInteger;
import java.util.stream.IntStream;

/**
 * A lower bound of the width of a generator of Shuffle-Dyck_k, by counting. With d columns and one row of weights for
 * each of k closing brackets, the logits of these brackets have at most G(d, k (k - 1) / 2) = sum over j &lt;= d of
 * binomial(k (k - 1) / 2, j) orders. After "(t" for each t of a set of k / 2 types, the k / 2 logits of these types
 * must exceed the others; this requires binomial(k, k / 2) orders.
 *
 * <p>Source: Hayakawa and Sato (2024), proposition 5 and appendix K.
 */
public final class OrderingBound {

    private OrderingBound() {}

    /**
     * G(d, m) = sum over j from 0 to d of binomial(m, j): the maximum number of regions into which m hyperplanes divide
     * a d-dimensional space.
     */
    public static BigInteger regions(int width, int hyperplanes) {
        return IntStream.rangeClosed(0, width)
                .mapToObj(j -> binomial(hyperplanes, j))
                .reduce(BigInteger.ZERO, BigInteger::add);
    }

    private static BigInteger binomial(int n, int k) {
        BigInteger binomial = BigInteger.ONE;
        for (int j = 0; j < k; j++) {
            binomial = binomial.multiply(BigInteger.valueOf((long) n - j)).divide(BigInteger.valueOf(j + 1L));
        }
        return binomial;
    }

    /** The number of orders that a generator needs: binomial(k, floor(k / 2)). */
    public static BigInteger orders(int types) {
        return binomial(types, types / 2);
    }

    /** The least d with G(d, k (k - 1) / 2) &gt;= binomial(k, k / 2). */
    public static int leastWidth(int types) {
        BigInteger orders = orders(types);
        int width = 0;
        while (regions(width, types * (types - 1) / 2).compareTo(orders) < 0) {
            width++;
        }
        return width;
    }
}
