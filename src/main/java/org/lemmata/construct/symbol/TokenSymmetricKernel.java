package org.lemmata.construct.symbol;

import it.unimi.dsi.fastutil.longs.Long2DoubleOpenHashMap;
import org.lemmata.argument.Refuse;

/**
 * A positive semidefinite kernel on strings of one length that is invariant under renaming of tokens.
 *
 * <p>Source: Boix-Adsera et al. (2024), definition C.1.
 */
@FunctionalInterface
public interface TokenSymmetricKernel {

    /** The maximum length of strings of a {@link #remembered} kernel. */
    int MAX_REMEMBERED = 8;

    /** K(x, y). */
    double of(int[] x, int[] y);

    /**
     * The inner product of perceptron inputs with X Xᵀ appended: (1 - w) (share of positions a with x_a = y_a) + w
     * &lt;X Xᵀ, Y Yᵀ&gt; / k².
     *
     * <p>With weight 0, every kernel of a multilayer perceptron is a function of this kernel. Source: Boix-Adsera et
     * al. (2024), remark I.6 and section 7.
     *
     * @param weight w, from 0 to 1
     */
    static TokenSymmetricKernel incidence(double weight) {
        Refuse.when(!(weight >= 0 && weight <= 1), "weight", "0 to 1", weight);
        return (x, y) -> {
            int k = x.length;
            int tokens = 0;
            int pairs = 0;
            for (int a = 0; a < k; a++) {
                tokens += x[a] == y[a] ? 1 : 0;
                for (int b = 0; b < k; b++) {
                    pairs += x[a] == x[b] && y[a] == y[b] ? 1 : 0;
                }
            }
            return (1 - weight) * tokens / k + weight * pairs / (k * k);
        };
    }

    /**
     * K_trans, the kernel of an MLP layer's random features on top of the attention kernel; each value is computed only
     * once. Not thread-safe.
     */
    static TokenSymmetricKernel transformer(AttentionKernel attention, CosineLink link) {
        return attention.remembered().linked(link).remembered();
    }

    /**
     * The kernel of an MLP layer's random features on top of this kernel: E phi(U) phi(V) for normal U and V with mean
     * 0 and the covariances K(x, x), K(x, y) and K(y, y).
     *
     * <p>Source: Boix-Adsera et al. (2024), equation 3 and appendix E.
     */
    default TokenSymmetricKernel linked(CosineLink link) {
        return (x, y) -> link.expectation(of(x, x), of(y, y), of(x, y));
    }

    /**
     * This kernel with a cache of its values by the pattern of equal tokens in x and y; there are few patterns. Not
     * thread-safe. The result rejects strings longer than {@value #MAX_REMEMBERED}, and two empty strings.
     */
    default TokenSymmetricKernel remembered() {
        var values = new Long2DoubleOpenHashMap();
        return (x, y) -> {
            Refuse.outside("length of a string", Math.max(x.length, y.length), 1, MAX_REMEMBERED);
            long key = Math.min(pattern(x, y), pattern(y, x));
            if (!values.containsKey(key)) {
                values.put(key, of(x, y));
            }
            return values.get(key);
        };
    }

    /** Four bits for each position of x and then of y: the first of all these positions that has the same token. */
    private static long pattern(int[] x, int[] y) {
        long pattern = 0;
        for (int i = 0; i < x.length + y.length; i++) {
            int first = 0;
            while (token(x, y, first) != token(x, y, i)) {
                first++;
            }
            pattern = (pattern << 4) | first;
        }
        return pattern;
    }

    private static int token(int[] x, int[] y, int i) {
        return i < x.length ? x[i] : y[i - x.length];
    }
}
