package org.lemmata.construct.symbol;

import it.unimi.dsi.fastutil.longs.Long2DoubleOpenHashMap;
import org.lemmata.argument.Refuse;

/** Caches the values of a kernel by the pattern of equal tokens in x and y; there are few patterns. Not thread-safe. */
public final class RememberedKernel implements TokenSymmetricKernel {

    private static final int MAX_LENGTH = 8;

    private final TokenSymmetricKernel kernel;
    private final Long2DoubleOpenHashMap values = new Long2DoubleOpenHashMap();

    public RememberedKernel(TokenSymmetricKernel kernel) {
        this.kernel = kernel;
    }

    /** @throws IllegalArgumentException if a string is longer than {@value #MAX_LENGTH}, or both are empty */
    @Override
    public double of(int[] x, int[] y) {
        Refuse.outside("length of a string", Math.max(x.length, y.length), 1, MAX_LENGTH);
        long key = Math.min(pattern(x, y), pattern(y, x));
        if (!values.containsKey(key)) {
            values.put(key, kernel.of(x, y));
        }
        return values.get(key);
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
