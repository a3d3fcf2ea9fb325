package org.lemmata.statistic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.Collections;
import java.util.List;
import java.util.stream.DoubleStream;
import org.apache.commons.statistics.descriptive.Variance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RatioBootstrapTest {

    private static final List<List<Double>> TEN = List.of(List.of(9.0, 10.0, 11.0), List.of(10.0, 10.1), List.of(9.9));
    private static final List<List<Double>> TWELVE = List.of(List.of(12.0, 12.0, 12.0), List.of(12.1, 11.9));

    @ParameterizedTest
    @EnumSource
    void equalSamplesHaveTheirRatioAndNoSpread(Center center) {
        List<List<Double>> four = List.of(List.of(4.0, 4.0), List.of(4.0, 4.0), List.of(4.0));
        List<List<Double>> three = List.of(List.of(3.0), List.of(3.0, 3.0), List.of(3.0));
        for (RatioEstimate estimate :
                List.of(RatioBootstrap.unpaired(four, three, center), RatioBootstrap.paired(four, three, center))) {
            assertThat(estimate.ratio()).isCloseTo(4.0 / 3, within(1e-15));
            assertThat(estimate.logStandardError()).isZero();
            assertThat(estimate.interval(0.95)).isEqualTo(Interval.exact(estimate.ratio()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void oneForkTellsNothingOfTheSpread(Center center) {
        List<List<Double>> one = List.of(List.of(1.0, 2.0, 3.0));
        for (RatioEstimate estimate : List.of(
                RatioBootstrap.unpaired(one, TEN, center),
                RatioBootstrap.unpaired(TEN, one, center),
                RatioBootstrap.paired(one, one, center))) {
            assertThat(estimate.logStandardError()).isInfinite();
            assertThat(estimate.interval(0.95)).isEqualTo(new Interval(0, Double.POSITIVE_INFINITY));
            assertThat(estimate.forksFor(0.05, 0.95, 1)).isEmpty();
        }
    }

    @Test
    void unusableSamplesAreRefused() {
        assertRefused(
                () -> RatioBootstrap.unpaired(List.of(), TEN, Center.MEAN),
                "current: expected at least one fork, got none");
        assertRefused(
                () -> RatioBootstrap.unpaired(TEN, List.of(List.of(1.0), List.of()), Center.MEAN),
                "baseline: expected at least one iteration in fork 2, got none");
        assertRefused(
                () -> RatioBootstrap.paired(TEN, TWELVE, Center.MEDIAN),
                "baseline: expected 3 forks, one for each of current, got 2");
        for (double score : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertRefused(
                    () -> RatioBootstrap.unpaired(TEN, List.of(List.of(1.0, score)), Center.MEAN),
                    "baseline: expected positive finite scores, got " + score + " in fork 1");
        }
    }

    /** Operations per second, and their reciprocals, seconds per operation, give equal errors and reciprocal ratios. */
    @ParameterizedTest
    @EnumSource
    void ratesAndTimesHaveReciprocalRatios(Center center) {
        RatioEstimate rate = RatioBootstrap.unpaired(TWELVE, TEN, center);
        RatioEstimate time = RatioBootstrap.unpaired(reciprocals(TWELVE), reciprocals(TEN), center);
        assertThat(time.ratio()).isCloseTo(1 / rate.ratio(), within(1e-12));
        assertThat(time.logStandardError()).isCloseTo(rate.logStandardError(), within(1e-12));
        assertThat(time.degreesOfFreedom()).isCloseTo(rate.degreesOfFreedom(), within(1e-9));
    }

    /** For the mean of single iterations, the bootstrap's result is known: Welch's interval of the logs. */
    @Test
    void meansHaveWelchsInterval() {
        double[] current = {0.1, 0.4, -0.2, 0.3, 0.9};
        double[] baseline = {0.0, 0.05, -0.05, 0.1};
        RatioEstimate estimate = RatioBootstrap.unpaired(scores(current), scores(baseline), Center.MEAN);
        double variance = Variance.of(current).getAsDouble() / 5;
        double baselineVariance = Variance.of(baseline).getAsDouble() / 4;
        double sum = variance + baselineVariance;
        assertThat(Math.log(estimate.ratio())).isCloseTo(0.3 - 0.025, within(1e-12));
        assertThat(estimate.logStandardError()).isCloseTo(Math.sqrt(sum), withinPercentage(4));
        assertThat(estimate.degreesOfFreedom())
                .isCloseTo(
                        sum * sum / (variance * variance / 4 + baselineVariance * baselineVariance / 3),
                        withinPercentage(4));

        double[] beside = {0.0, 0.2, -0.3, 0.2, 0.5};
        double[] differences = {0.1, 0.2, 0.1, 0.1, 0.4};
        RatioEstimate paired = RatioBootstrap.paired(scores(current), scores(beside), Center.MEAN);
        assertThat(Math.log(paired.ratio())).isCloseTo(0.18, within(1e-12));
        assertThat(paired.logStandardError())
                .isCloseTo(Math.sqrt(Variance.of(differences).getAsDouble() / 5), withinPercentage(4));
        assertThat(paired.degreesOfFreedom()).isEqualTo(4);
    }

    private static List<List<Double>> scores(double... logs) {
        return DoubleStream.of(logs).mapToObj(log -> List.of(Math.exp(log))).toList();
    }

    /** More iterations per fork are not more forks: ten times as many leave the spread unchanged. */
    @ParameterizedTest
    @EnumSource
    void iterationsAreNotForks(Center center) {
        List<List<Double>> few = List.of(List.of(1.0), List.of(1.1), List.of(1.3));
        List<List<Double>> many = few.stream()
                .map(fork -> Collections.nCopies(10, fork.getFirst()))
                .toList();
        assertThat(RatioBootstrap.unpaired(many, many, center)).isEqualTo(RatioBootstrap.unpaired(few, few, center));
        assertThat(RatioBootstrap.paired(many, TEN, center)).isEqualTo(RatioBootstrap.paired(few, TEN, center));
    }

    /** Both centers with medians ignore an interrupted iteration; only {@code MEDIAN} ignores a disturbed fork. */
    @Test
    void mediansLookPastWhatIsDisturbed() {
        List<List<Double>> one = List.of(List.of(1.0), List.of(1.0), List.of(1.0));
        List<List<Double>> iteration = List.of(List.of(2.0, 2.0, 16.0), List.of(2.0, 2.0, 2.0), List.of(2.0));
        List<List<Double>> fork = List.of(List.of(16.0, 16.0, 16.0), List.of(2.0, 2.0, 2.0), List.of(2.0));
        assertThat(ratio(iteration, one, Center.MEDIAN)).isCloseTo(2, within(1e-12));
        assertThat(ratio(iteration, one, Center.MEAN_OF_MEDIANS)).isCloseTo(2, within(1e-12));
        assertThat(ratio(iteration, one, Center.MEAN)).isCloseTo(2 * Math.pow(8, 1.0 / 9), within(1e-12));
        assertThat(ratio(fork, one, Center.MEDIAN)).isCloseTo(2, within(1e-12));
        assertThat(ratio(fork, one, Center.MEAN_OF_MEDIANS)).isCloseTo(4, within(1e-12));
        assertThat(ratio(fork, one, Center.MEAN)).isCloseTo(4, within(1e-12));
    }

    private static double ratio(List<List<Double>> current, List<List<Double>> baseline, Center center) {
        double unpaired = RatioBootstrap.unpaired(current, baseline, center).ratio();
        assertThat(RatioBootstrap.paired(current, baseline, center).ratio()).isCloseTo(unpaired, within(1e-12));
        return unpaired;
    }

    private static List<List<Double>> reciprocals(List<List<Double>> samples) {
        return samples.stream()
                .map(fork -> fork.stream().map(score -> 1 / score).toList())
                .toList();
    }

    @Test
    void theSameSamplesGiveTheSameBits() {
        assertThat(RatioBootstrap.unpaired(TWELVE, TEN, Center.MEDIAN))
                .isEqualTo(RatioBootstrap.unpaired(TWELVE, TEN, Center.MEDIAN));
        assertThat(RatioBootstrap.paired(TEN, TEN, Center.MEAN))
                .isEqualTo(RatioBootstrap.paired(TEN, TEN, Center.MEAN));
    }
}
