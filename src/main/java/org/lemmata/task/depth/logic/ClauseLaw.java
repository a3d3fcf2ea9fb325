package org.lemmata.task.depth.logic;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Arrays;
import org.lemmata.argument.Refuse;

/**
 * The exact distribution of the depth of a clause of algorithm 1: P(D_q &lt;= x) = ((P(D_(q-1) &lt;= x - 1) + P(D_(q-2)
 * &lt;= x - 1)) / 2)^2, with D_q = 0 for q &lt;= 0.
 *
 * <p>The depth of an expression of k clauses is the maximum depth of its clauses, with distribution P(D_q &lt;= x)^k.
 * All probabilities are integers over powers of two.
 */
public final class ClauseLaw {

    /** The maximum q; the denominator for one clause has 2^(q + 1) - 1 bits. */
    public static final int MAX_DEPTH = 16;

    private final int clauses;
    private final int depth;
    /** P(depth &lt;= x) is atMost[x] / 2^exponent. */
    private final BigInteger[] atMost;

    private final int exponent;

    /**
     * @param clauses k, at least 1
     * @param depth q, 0 to 16
     */
    public ClauseLaw(int clauses, int depth) {
        Refuse.below("k", clauses, 1);
        Refuse.outside("q", depth, 0, MAX_DEPTH);
        this.clauses = clauses;
        this.depth = depth;
        // P(D_q <= x) is one[q][x] / 2^exponent(q).
        BigInteger[][] one = new BigInteger[depth + 1][depth + 1];
        Arrays.fill(one[0], BigInteger.ONE);
        for (int q = 1; q <= depth; q++) {
            int beforeLast = Math.max(0, q - 2);
            one[q][0] = BigInteger.ZERO;
            for (int x = 1; x <= depth; x++) {
                one[q][x] = one[q - 1][x - 1]
                        .add(one[beforeLast][x - 1].shiftLeft(exponent(q - 1) - exponent(beforeLast)))
                        .pow(2);
            }
        }
        this.exponent = Math.multiplyExact(clauses, exponent(depth));
        this.atMost = Arrays.stream(one[depth]).map(each -> each.pow(clauses)).toArray(BigInteger[]::new);
    }

    private static int exponent(int q) {
        return (2 << q) - 2;
    }

    /** The minimum possible depth: ceil(q / 2). */
    public int minDepth() {
        return (depth + 1) / 2;
    }

    /** The maximum possible depth: q. */
    public int maxDepth() {
        return depth;
    }

    /** The probability that the depth is x, times 2^{@link #exponent()}. */
    public BigInteger numerator(int x) {
        if (x < 0 || x > depth) {
            return BigInteger.ZERO;
        }
        return x == 0 ? atMost[0] : atMost[x].subtract(atMost[x - 1]);
    }

    /** The exponent e of the probabilities' common denominator 2^e. */
    public int exponent() {
        return exponent;
    }

    /** The probability that the depth is x, rounded to binary64. */
    public double probability(int x) {
        return new BigDecimal(numerator(x))
                .divide(new BigDecimal(BigInteger.TWO.pow(exponent)), MathContext.DECIMAL64)
                .doubleValue();
    }

    /** The mean number of leaves of an expression: k F_(q+2), with the Fibonacci numbers F_1 = F_2 = 1. */
    public long meanLeaves() {
        long last = 1;
        long next = 1;
        for (int q = 0; q < depth; q++) {
            long sum = last + next;
            last = next;
            next = sum;
        }
        return clauses * next;
    }
}
