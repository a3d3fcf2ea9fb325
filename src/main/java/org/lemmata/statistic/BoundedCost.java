package org.lemmata.statistic;

/**
 * What it costs to call a stretch of a series level: min over μ of the sum of min((x - μ)², {@link #BOUND}²), x being
 * in units of the noise (the biweight loss of Fearnhead and Rigaill 2019, "Changepoint Detection in the Presence of
 * Outliers"). A single value, however far out, costs no more than the square of the bound, and so cannot pay for a
 * change.
 */
final class BoundedCost {

    /**
     * In standard deviations of the noise. By simulation: at 3, steps of 3 in normal noise are found 5% less often; at
     * 3.5, skewed noise needs a higher penalty than normal noise.
     */
    static final double BOUND = 3.25;

    private BoundedCost() {}

    /**
     * The cost of every stretch, [start][length - 1], in O(n³) additions.
     *
     * @param values in units of the noise
     */
    static double[][] ofStretches(double[] values) {
        double[][] costs = new double[values.length][];
        double[] sorted = new double[values.length];
        for (int start = 0; start < values.length; start++) {
            costs[start] = new double[values.length - start];
            for (int length = 1; length <= costs[start].length; length++) {
                // Seen from its first value, a stretch of equal values costs exactly nothing.
                insert(values[start + length - 1] - values[start], sorted, length - 1);
                costs[start][length - 1] = new Fit(sorted, length).cost;
            }
        }
        return costs;
    }

    /** The level of the stretch [start, end[: the mean of its values within the bound of it. */
    static double level(double[] values, int start, int end) {
        double[] sorted = new double[end - start];
        for (int i = start; i < end; i++) {
            insert(values[i] - values[start], sorted, i - start);
        }
        return values[start] + new Fit(sorted, sorted.length).level;
    }

    private static void insert(double value, double[] sorted, int length) {
        int at = length;
        while (at > 0 && sorted[at - 1] > value) {
            sorted[at] = sorted[at - 1];
            at--;
        }
        sorted[at] = value;
    }

    /**
     * The best level of sorted values. As μ grows, values enter and leave the window within the bound of it one by one.
     * The best μ is the mean of its window, so that the mean of each window is all there is to try.
     */
    private static final class Fit {

        private double cost = Double.POSITIVE_INFINITY;
        private double level;

        Fit(double[] sorted, int length) {
            int low = 0;
            int high = 0;
            double sum = 0;
            double squares = 0;
            while (high < length || high - low > 1) {
                if (high < length && (low == high || sorted[high] - sorted[low] <= 2 * BOUND)) {
                    sum += sorted[high];
                    squares += sorted[high] * sorted[high];
                    high++;
                } else {
                    sum -= sorted[low];
                    squares -= sorted[low] * sorted[low];
                    low++;
                }
                int inside = high - low;
                if (inside > 0) {
                    double within = Math.max(0, squares - sum * sum / inside) + BOUND * BOUND * (length - inside);
                    if (within < cost) {
                        cost = within;
                        level = sum / inside;
                    }
                }
            }
        }
    }
}
