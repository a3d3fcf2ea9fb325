package org.lemmata.statistic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.statistic.ForkNoise.atMost;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs that check after two, three and four forks whether rows are decided (looks): how often the interval of any look
 * misses the true ratio, and how many forks are saved. Thirteen rows, with spreads from 0.3% to 10% like those of the
 * main job, are compared with a baseline of four forks.
 */
class SequentialCalibrationTest {

    private static final int ROWS = 13;
    private static final int FORKS = 4;
    private static final int LOOKS = FORKS - 1;
    private static final int RUNS = 150;

    /** The numbers of forks per side after which a run of up to ten looks. */
    private static final List<Integer> PAIRS = List.of(4, 6, 8, 10);

    /**
     * The result of one run.
     *
     * @param missed whether any interval of any row missed the true ratio
     * @param forks the number of forks of all rows until they were decided
     * @param found the number of rows with the verdict slower or faster
     */
    private record Run(boolean missed, int forks, int found) {}

    @Test
    void theLooksShareAlpha() {
        double spent = IntStream.rangeClosed(1, LOOKS)
                .mapToDouble(look -> 1 - Simultaneous.level(0.05, 1, look, LOOKS))
                .sum();
        assertThat(spent).isCloseTo(0.05, within(1e-12));
        assertThat(Simultaneous.level(0.05, 7, 1, 1)).isEqualTo(Simultaneous.level(0.05, 7));
        assertThat(Simultaneous.level(0.05, 7, 1, LOOKS)).isGreaterThan(Simultaneous.level(0.05, 7, LOOKS, LOOKS));
    }

    /** With the same code, at most 5% of runs have an error, and rows need at most the stated mean number of forks. */
    @ParameterizedTest
    @CsvSource({"NORMAL, 1, 2.6", "NORMAL, 0.15, 3.2", "DISTURBED, 1, 2.6", "DISTURBED, 0.15, 3.2", "LOGNORMAL, 1, 2.6"
    })
    void identicalRowsRarelyErrAtAnyLook(ForkNoise noise, double margin, double forks) {
        List<Run> runs = runs(noise, margin, 0);
        assertThat(runs.stream().filter(Run::missed).count()).isLessThanOrEqualTo(atMost(RUNS, 0.05));
        assertThat(runs.stream().mapToInt(Run::found).sum()).as("false alarms").isZero();
        assertThat(runs.stream().mapToInt(Run::forks).average().orElseThrow() / ROWS)
                .isLessThan(forks);
    }

    /** Speeds fall to a third; the margin is the wide one for other processors. */
    @Test
    void whatFellFarIsFoundEarly() {
        List<Run> runs = runs(ForkNoise.NORMAL, 1, Math.log(1 / 3.0));
        assertThat(runs.stream().mapToInt(Run::found).average().orElseThrow()).isGreaterThan(0.95 * ROWS);
        assertThat(runs.stream().mapToInt(Run::forks).average().orElseThrow() / ROWS)
                .isLessThan(3);
    }

    /** Two sides with the same code, in at most ten duets, with the margin of a comparison, and one row or thirteen. */
    @ParameterizedTest
    @CsvSource({"NORMAL, 1", "NORMAL, 13", "DISTURBED, 1", "DISTURBED, 13", "LOGNORMAL, 1", "LOGNORMAL, 13"})
    void twoSidesOfTheSameCodeRarelyErrAtAnyLook(ForkNoise noise, int rows) {
        List<Run> runs = runs(run -> duets(noise, rows, 0, new SplittableRandom(91_000_003L + run)));
        assertThat(runs.stream().filter(Run::missed).count()).isLessThanOrEqualTo(atMost(RUNS, 0.05));
        assertThat(runs.stream().filter(run -> run.found > 0).count())
                .as("false alarms")
                .isLessThanOrEqualTo(2);
    }

    /** A slow-down by a factor of 1.2, in rows that vary by 1.5% between forks. */
    @Test
    void aLargeSlowDownTakesFewDuets() {
        List<Run> runs = runs(run -> duets(ForkNoise.NORMAL, 1, Math.log(1 / 1.2), new SplittableRandom(run)));
        assertThat(runs.stream().filter(run -> run.found > 0).count()).isGreaterThan(RUNS * 9 / 10);
        assertThat(runs.stream().mapToInt(Run::forks).average().orElseThrow()).isLessThan(6.5);
    }

    private static List<Double> ratios(List<Double> now, List<Double> before) {
        return IntStream.range(0, now.size())
                .mapToObj(i -> now.get(i) / before.get(i))
                .toList();
    }

    private static Run duets(ForkNoise noise, int rows, double change, SplittableRandom random) {
        int most = PAIRS.getLast();
        var ratios = new ArrayList<List<List<Double>>>();
        for (int row = 0; row < rows; row++) {
            double[] shift = new double[most];
            double deviation = 0.015 / Math.sqrt(2) * Math.exp(0.9 * random.nextGaussian());
            List<List<Double>> before = noise.samples(random, deviation, shift);
            Arrays.fill(shift, change);
            List<List<Double>> now = noise.samples(random, deviation, shift);
            ratios.add(IntStream.range(0, most)
                    .mapToObj(fork -> ratios(now.get(fork), before.get(fork)))
                    .toList());
        }
        return judged(ratios, PAIRS, 0.02, change, (row, estimate) -> estimate);
    }

    /**
     * @param ratios the ratios of each row's forks
     * @param counts the number of forks at each look
     * @param compared computes the judged estimate from a row's index and its own estimate
     */
    private static Run judged(
            List<List<List<Double>>> ratios,
            List<Integer> counts,
            double margin,
            double change,
            BiFunction<Integer, RatioEstimate, RatioEstimate> compared) {
        int rows = ratios.size();
        int[] forks = new int[rows];
        boolean[] decided = new boolean[rows];
        boolean missed = false;
        int found = 0;
        for (int look = 1; look <= counts.size(); look++) {
            int count = counts.get(look - 1);
            Arrays.setAll(forks, row -> decided[row] ? forks[row] : count);
            List<RatioEstimate> now = moderated(IntStream.range(0, rows)
                    .mapToObj(row ->
                            RatioBootstrap.together(ratios.get(row).subList(0, forks[row]), Center.MEAN_OF_MEDIANS))
                    .toList());
            double level = Simultaneous.level(0.05, rows, look, counts.size());
            for (int row = 0; row < rows; row++) {
                if (!decided[row]) {
                    Interval interval = compared.apply(row, now.get(row)).interval(level);
                    missed |= interval.low() > Math.exp(change) || interval.high() < Math.exp(change);
                    boolean outside = interval.high() < 1 / (1 + margin) || interval.low() > 1 + margin;
                    found += outside ? 1 : 0;
                    decided[row] = outside || (interval.low() >= 1 / (1 + margin) && interval.high() <= 1 + margin);
                }
            }
        }
        return new Run(missed, IntStream.of(forks).sum(), found);
    }

    private static List<Run> runs(IntFunction<Run> run) {
        return IntStream.range(0, RUNS).parallel().mapToObj(run).toList();
    }

    private static List<Run> runs(ForkNoise noise, double margin, double change) {
        return runs(run -> run(noise, margin, change, new SplittableRandom(77_000_003L + run)));
    }

    private static Run run(ForkNoise noise, double margin, double change, SplittableRandom random) {
        var current = new ArrayList<List<List<Double>>>();
        var baseline = new ArrayList<RatioEstimate>();
        for (int row = 0; row < ROWS; row++) {
            double deviation = 0.015 * Math.exp(0.9 * random.nextGaussian());
            double[] shift = new double[FORKS];
            baseline.add(RatioBootstrap.together(noise.samples(random, deviation, shift), Center.MEAN_OF_MEDIANS));
            Arrays.fill(shift, change);
            current.add(noise.samples(random, deviation, shift));
        }
        List<RatioEstimate> before = moderated(baseline);
        return judged(current, List.of(2, 3, FORKS), margin, change, (row, estimate) -> estimate.over(before.get(row)));
    }

    private static List<RatioEstimate> moderated(List<RatioEstimate> rows) {
        SharedVariance shared = SharedVariance.of(rows);
        return rows.stream().map(shared::with).toList();
    }
}
