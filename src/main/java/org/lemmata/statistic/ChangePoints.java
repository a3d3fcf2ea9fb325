package org.lemmata.statistic;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.ints.IntImmutableList;
import it.unimi.dsi.fastutil.ints.IntList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Where the level of a series of runs changed for good: the segmentation into stretches of at least 3 runs with the
 * minimum sum of {@linkplain BoundedCost bounded costs} plus a penalty for each change. It is the exact optimum, by the
 * dynamic program of Jackson et al. (2005, "An Algorithm for Optimal Partitioning of Data on an Interval"): O(n²) steps
 * once the costs of all stretches are there, which take O(n³) additions (200 runs: some 15 ms).
 *
 * <p>The noise's standard deviation is estimated in two steps. Differences of neighbours, the largest fifth left out,
 * know it whatever the level does, but roughly; what is left of the runs after a lenient first segmentation knows it
 * better.
 *
 * <p>A stationary series of 10 to 200 independent values shows a change with about the probability asked for, at one
 * look at the whole of it; docs/regression.md has the simulation. Values that follow each other (slow drift, seasons)
 * show changes more often: their level does change.
 *
 * @param steps in the order of the runs
 * @param outliers runs further from the level of their stretch than {@value BoundedCost#BOUND} standard deviations:
 *     they count in every cost, though no more than that
 * @param noise the standard deviation of the runs about their levels; NaN if there are fewer than 10
 */
public record ChangePoints(List<Step> steps, IntList outliers, double noise) {

    /**
     * A change of level.
     *
     * @param index the first run of the new level
     * @param before the level of the stretch before
     * @param after the level of the stretch that begins there
     * @param deviations the shift in standard deviations of the noise, with its sign
     */
    public record Step(int index, double before, double after, double deviations) {}

    private static final int FEWEST_RUNS = 10;
    private static final int SHORTEST_STRETCH = 3;

    /**
     * A millionth, where values are logs: smaller changes are of no interest, and values that are all equal have no
     * noise.
     */
    private static final double SMALLEST_NOISE = 1e-6;

    /** A stretch at the end with fewer runs than these is new. */
    private static final int SETTLED_STRETCH = 6;

    public ChangePoints {
        steps = List.copyOf(steps);
        outliers = new IntImmutableList(outliers);
    }

    /**
     * Finds the changes of a series. Whether the newest runs lie at another level is the same question: a step is found
     * from its third run on.
     *
     * @param values a finite number for each run, in their order: the logs of scores, so that a step is a ratio
     * @param falseAlarms the probability that a stationary series shows a change, from 0.0001 to 0.05
     * @return no steps if there are fewer than 10 values
     */
    public static ChangePoints in(double[] values, double falseAlarms) {
        if (!(falseAlarms >= 0.0001 && falseAlarms <= 0.05)) {
            throw new IllegalArgumentException("falseAlarms: expected 0.0001 to 0.05, got " + falseAlarms);
        }
        for (double value : values) {
            if (!Double.isFinite(value)) {
                throw new IllegalArgumentException("values: expected finite numbers, got " + value);
            }
        }
        if (values.length < FEWEST_RUNS) {
            return new ChangePoints(List.of(), IntList.of(), Double.NaN);
        }
        double rough = noiseOfDifferences(values);
        double noise = noiseAbout(levels(values, starts(values, rough, Penalties.LENIENT), rough), values, rough);
        int[] starts = starts(values, noise, Penalties.of(values.length, falseAlarms));
        double[] levels = levels(values, starts, noise);
        List<Step> steps = new ArrayList<>();
        for (int stretch = 1; stretch < starts.length; stretch++) {
            double before = levels[starts[stretch] - 1];
            double after = levels[starts[stretch]];
            steps.add(new Step(starts[stretch], before, after, (after - before) / noise));
        }
        IntList outliers = new IntArrayList();
        for (int run = 0; run < values.length; run++) {
            if (Math.abs(values[run] - levels[run]) > BoundedCost.BOUND * noise) {
                outliers.add(run);
            }
        }
        return new ChangePoints(steps, outliers, noise);
    }

    /**
     * What a change costs, in squares of the noise: less where the new level has just begun, since that is one question
     * and not as many as there are runs.
     *
     * @param inside of a change with 6 runs or more after it
     * @param newest of a change with 3 to 5 runs after it
     */
    private record Penalties(double inside, double newest) {

        /** Of the first segmentation: rather a change too many, whose residuals say a little less of the noise. */
        static final Penalties LENIENT = new Penalties(8, 8);

        /**
         * A fit to simulated stationary series of 10 to 200 values, at rates from 0.1% to 5%; at 0.01% they show a
         * change up to 0.05% of the time. The fewer the runs, the less they know of their own noise.
         */
        static Penalties of(int runs, double falseAlarms) {
            double strictness = (2.3 + 50.0 / runs) * Math.log(0.01 / falseAlarms);
            return new Penalties(15 + 110.0 / runs + strictness, 8.5 + 60.0 / runs + 0.7 * strictness);
        }
    }

    private static double noiseOfDifferences(double[] values) {
        double[] differences = new double[values.length - 1];
        for (int i = 0; i < differences.length; i++) {
            differences[i] = Math.abs(values[i + 1] - values[i]);
        }
        Arrays.sort(differences);
        int kept = (int) Math.round(0.8 * differences.length);
        double squares = 0;
        for (int i = 0; i < kept; i++) {
            squares += differences[i] * differences[i];
        }
        // The mean square of a standard normal's smaller 80% is 0.4377; a difference has twice the variance of a value.
        return Math.max(SMALLEST_NOISE, Math.sqrt(squares / kept / 0.4377 / 2));
    }

    /** The bounded root mean square of what the levels leave, its bound in its own units. */
    private static double noiseAbout(double[] levels, double[] values, double rough) {
        int free = values.length - 1;
        for (int run = 1; run < values.length; run++) {
            free -= levels[run] != levels[run - 1] ? 1 : 0;
        }
        double noise = rough;
        for (int iteration = 0; iteration < 20; iteration++) {
            double bound = BoundedCost.BOUND * noise;
            double squares = 0;
            for (int run = 0; run < values.length; run++) {
                double distance = Math.min(Math.abs(values[run] - levels[run]), bound);
                squares += distance * distance;
            }
            noise = Math.max(SMALLEST_NOISE, Math.sqrt(squares / free));
        }
        return noise;
    }

    /** The first runs of the stretches of the best segmentation, 0 among them. */
    private static int[] starts(double[] values, double noise, Penalties penalties) {
        double[][] costs = BoundedCost.ofStretches(scaled(values, noise));
        int runs = values.length;
        // Of the first `end` runs: the minimum cost, and the start of the last stretch.
        double[] best = new double[runs + 1];
        int[] last = new int[runs + 1];
        Arrays.fill(best, Double.POSITIVE_INFINITY);
        best[0] = 0;
        for (int end = SHORTEST_STRETCH; end <= runs; end++) {
            for (int start = 0; start <= end - SHORTEST_STRETCH; start++) {
                double cost = best[start] + costs[start][end - start - 1];
                if (start > 0) {
                    boolean newest = end == runs && runs - start < SETTLED_STRETCH;
                    cost += newest ? penalties.newest : penalties.inside;
                }
                if (cost < best[end]) {
                    best[end] = cost;
                    last[end] = start;
                }
            }
        }
        IntList starts = new IntArrayList();
        for (int end = runs; end > 0; end = last[end]) {
            starts.add(last[end]);
        }
        return IntArrays.reverse(starts.toIntArray());
    }

    /** The level of each run's stretch. */
    private static double[] levels(double[] values, int[] starts, double noise) {
        double[] scaled = scaled(values, noise);
        double[] levels = new double[values.length];
        for (int stretch = 0; stretch < starts.length; stretch++) {
            int end = stretch + 1 < starts.length ? starts[stretch + 1] : values.length;
            Arrays.fill(levels, starts[stretch], end, noise * BoundedCost.level(scaled, starts[stretch], end));
        }
        return levels;
    }

    private static double[] scaled(double[] values, double noise) {
        return Arrays.stream(values).map(value -> value / noise).toArray();
    }
}
