package org.lemmata.track;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lemmata.statistic.Center;
import org.lemmata.statistic.RatioBootstrap;
import org.lemmata.statistic.RatioEstimate;
import org.lemmata.statistic.Simultaneous;
import org.lemmata.track.ForkRun.Span;

/**
 * False alarms and detection rates of duets on a simulated machine: its speed varies by a fifth between moments, and
 * that of each core by a tenth between pairs; every 25th iteration of a core takes 1.5 times as long, and every 50th
 * begins late and is slow.
 */
class DuetCalibrationTest {

    private static final int PAIRS = 10;
    private static final int ITERATIONS = 10;
    private static final int RUNS = 2000;
    private static final double WINDOW = 100_000;
    private static final double STRICT = Simultaneous.level(0.05, 40);

    /** Distributions of forks with a standard deviation of 1. */
    enum Forks {
        NORMAL,
        SLOW_TAIL,
        TWO_SPEEDS;

        double next(SplittableRandom random) {
            return switch (this) {
                case NORMAL -> random.nextGaussian();
                case SLOW_TAIL -> -(Math.exp(random.nextGaussian()) - Math.exp(0.5)) / Math.sqrt((Math.E - 1) * Math.E);
                case TWO_SPEEDS -> (random.nextDouble() < 0.3 ? -0.7 : 0.3) / 0.458;
            };
        }
    }

    /** The two sides of one run. */
    private static final class Run {

        private final List<List<Double>> current = new ArrayList<>();
        private final List<List<Double>> baseline = new ArrayList<>();
        private final List<ForkRun> currentRuns = new ArrayList<>();
        private final List<ForkRun> baselineRuns = new ArrayList<>();

        /** @param slower the slow-down of the current side, as a logarithm */
        Run(Forks forks, double slower, SplittableRandom random) {
            for (int pair = 0; pair < PAIRS; pair++) {
                double[] cores = {0.1 * random.nextGaussian(), 0.1 * random.nextGaussian()};
                double[] fork = {0.01 * forks.next(random) - slower, 0.01 * forks.next(random)};
                List<List<Double>> speeds = List.of(new ArrayList<>(), new ArrayList<>());
                List<List<Span>> spans = List.of(new ArrayList<>(), new ArrayList<>());
                for (int i = 0; i < ITERATIONS; i++) {
                    double start = 1e7 * pair + 1.2 * WINDOW * i;
                    double machine = 0.2 * random.nextGaussian();
                    for (int side = 0; side < 2; side++) {
                        int core = (side + i) % 2;
                        boolean late = random.nextDouble() < 0.02;
                        double log = fork[side] + machine + cores[core] + 0.01 * random.nextGaussian();
                        log -= random.nextDouble() < 0.04 ? 0.4 : 0;
                        log -= late ? 1 : 0;
                        speeds.get(side).add(Math.exp(log));
                        double begin = start + (late ? WINDOW / 5 : 0);
                        spans.get(side).add(new Span(begin, begin + WINDOW, 0, core));
                    }
                }
                current.add(speeds.getFirst());
                baseline.add(speeds.getLast());
                currentRuns.add(fork(pair, spans.getFirst()));
                baselineRuns.add(fork(pair, spans.getLast()));
            }
        }

        private static ForkRun fork(int number, List<Span> spans) {
            return new ForkRun("X.a", number, Instant.ofEpochSecond(number), 1, 1, 0, spans);
        }

        RatioEstimate together() {
            DuetRatios ratios = DuetRatios.of(side(current, currentRuns), side(baseline, baselineRuns));
            return RatioBootstrap.together(ratios.pairs(), Center.MEAN_OF_MEDIANS);
        }

        /** The estimate as if the forks of a pair had run one after the other: combines sides of different pairs. */
        RatioEstimate inTurn() {
            var others = new ArrayList<>(baseline);
            Collections.rotate(others, 1);
            return RatioBootstrap.paired(current, others, Center.MEAN_OF_MEDIANS);
        }

        private static DuetRatios.Side side(List<List<Double>> speeds, List<ForkRun> runs) {
            List<List<Double>> operations = speeds.stream()
                    .map(fork -> Collections.nCopies(fork.size(), 1.0))
                    .toList();
            return new DuetRatios.Side(speeds, operations, runs);
        }
    }

    private static List<Run> runs(Forks forks, double slower) {
        return IntStream.range(0, RUNS)
                .parallel()
                .mapToObj(i -> new Run(forks, slower, new SplittableRandom(9_000_011L + i)))
                .toList();
    }

    private static int found(List<RatioEstimate> estimates, double level) {
        return (int) estimates.stream()
                .map(estimate -> estimate.interval(level))
                .filter(interval -> interval.low() > 1 || interval.high() < 1)
                .count();
    }

    /** The 99.9% quantile of a binomial count. */
    private static int atMost(double rate) {
        return BinomialDistribution.of(RUNS, rate).inverseSurvivalProbability(0.001);
    }

    /** The table of docs/notes/regression-log.md. */
    @Tag("long")
    @ParameterizedTest
    @EnumSource
    void alarmsAreAsRareAsStatedAndSlowDownsAreFound(Forks forks) {
        List<RatioEstimate> same =
                runs(forks, 0).parallelStream().map(Run::together).toList();
        List<Run> slower = runs(forks, Math.log(1.05));
        List<RatioEstimate> together =
                slower.parallelStream().map(Run::together).toList();
        List<RatioEstimate> inTurn = slower.parallelStream().map(Run::inTurn).toList();
        int alarms = found(same, 0.95);
        int strictAlarms = found(same, STRICT);
        System.out.printf(
                "| %s | %.2f%% | %.3f%% | %.1f%% | %.1f%% |%n",
                forks,
                100.0 * alarms / RUNS,
                100.0 * strictAlarms / RUNS,
                100.0 * found(together, STRICT) / RUNS,
                100.0 * found(inTurn, STRICT) / RUNS);
        assertThat(alarms).isBetween(RUNS / 100, atMost(0.05));
        assertThat(strictAlarms).isLessThanOrEqualTo(atMost(0.05 / 40));
        assertThat(found(together, STRICT)).isGreaterThan(RUNS / 2);
        assertThat(found(inTurn, STRICT)).isLessThan(RUNS / 10);
    }
}
