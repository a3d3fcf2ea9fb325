package org.lemmata.statistic;

import java.util.Arrays;
import java.util.Collection;

/** The middle value, or the mean of the two middle values. */
public final class Median {

    private Median() {}

    public static double of(Collection<Double> values) {
        return of(values.stream().mapToDouble(Double::doubleValue).toArray());
    }

    /** The median of at least one value, in any order. */
    public static double of(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }
}
