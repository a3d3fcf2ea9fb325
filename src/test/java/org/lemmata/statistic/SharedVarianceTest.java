package org.lemmata.statistic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.statistic.ForkNoise.atMost;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SharedVarianceTest {

    private static final double[] ERRORS = {
        0.001, 0.0015, 0.002, 0.0022, 0.003, 0.004, 0.0045, 0.006, 0.008, 0.01, 0.02, 0.1
    };

    private static final Offset<Double> EXACT = within(1e-9);

    /** ψ'(1/2) = π² / 2, ψ'(1) = π² / 6, ψ'(y) = ψ'(y + 1) + 1 / y², and 1 / y + 1 / (2 y²) for large y. */
    @Test
    void theInverseOfTrigammaIsThatOfKnownValues() {
        double ofOne = Math.PI * Math.PI / 6;
        assertThat(SharedVariance.inverseTrigamma(ofOne)).isCloseTo(1, EXACT);
        assertThat(SharedVariance.inverseTrigamma(3 * ofOne)).isCloseTo(0.5, EXACT);
        assertThat(SharedVariance.inverseTrigamma(ofOne - 1)).isCloseTo(2, EXACT);
        assertThat(SharedVariance.inverseTrigamma(ofOne + 1e6)).isCloseTo(0.001, within(1e-8));
        assertThat(SharedVariance.inverseTrigamma(1e-6)).isCloseTo(1e6 + 0.5, within(1e-3));
    }

    /** Expected values were computed with the polygamma functions and the root finder of scipy. */
    @Test
    void whatRowsShareIsThatOfAnotherProgram() {
        SharedVariance alike = SharedVariance.of(rows(row -> 5));
        assertThat(alike.variance()).isCloseTo(7.849113139887674e-6, within(1e-15));
        assertThat(alike.degreesOfFreedom()).isCloseTo(0.9039022135373476, EXACT);
        SharedVariance unlike = SharedVariance.of(rows(row -> 3 + row));
        assertThat(unlike.variance()).isCloseTo(7.66483307532744e-6, within(1e-15));
        assertThat(unlike.degreesOfFreedom()).isCloseTo(0.9232254424182077, EXACT);
    }

    private static List<RatioEstimate> rows(IntToDoubleFunction freedom) {
        return IntStream.range(0, ERRORS.length)
                .mapToObj(row -> new RatioEstimate(1.1, ERRORS[row], freedom.applyAsDouble(row)))
                .toList();
    }

    /** Thousands of rows whose true variances are 1e-4 times 6 / χ² with 6 degrees of freedom, 10 forks each. */
    @Test
    void thePriorOfSimulatedRowsIsFound() {
        var random = new SplittableRandom(2004);
        var rows = new ArrayList<RatioEstimate>();
        for (int row = 0; row < 20_000; row++) {
            double variance = 1e-4 * 6 / chiSquare(6, random) * chiSquare(9, random) / 9;
            rows.add(new RatioEstimate(1, Math.sqrt(variance), 9));
        }
        SharedVariance shared = SharedVariance.of(rows);
        assertThat(shared.degreesOfFreedom()).isCloseTo(6, within(0.5));
        assertThat(shared.variance()).isCloseTo(1e-4, within(3e-6));
    }

    private static double chiSquare(int freedom, SplittableRandom random) {
        return IntStream.range(0, freedom)
                .mapToDouble(i -> random.nextGaussian())
                .map(value -> value * value)
                .sum();
    }

    @Test
    void aQuietRowTakesOfTheOthersAndANoisyOneStaysAsNoisy() {
        var shared = new SharedVariance(4e-4, 2);
        RatioEstimate quiet = shared.with(new RatioEstimate(1.1, 0.01, 5));
        assertThat(quiet.ratio()).isEqualTo(1.1);
        assertThat(quiet.logStandardError()).isCloseTo(Math.sqrt((2 * 4e-4 + 5 * 1e-4) / 7), EXACT);
        assertThat(quiet.degreesOfFreedom()).isCloseTo(7, EXACT);
        RatioEstimate noisy = shared.with(new RatioEstimate(1.1, 0.04, 5));
        assertThat(noisy.logStandardError()).isEqualTo(0.04);
        assertThat(noisy.degreesOfFreedom()).isCloseTo(5.5, EXACT);
        RatioEstimate still = shared.with(new RatioEstimate(1.1, 0, 5));
        assertThat(still.logStandardError()).isCloseTo(Math.sqrt(2 * 4e-4 / 7), EXACT);
    }

    /** This holds even if the variances of all rows are equal. */
    @Test
    void ownForksCountForHalfOrMore() {
        List<RatioEstimate> rows = Collections.nCopies(12, new RatioEstimate(1, 0.01, 5));
        SharedVariance shared = SharedVariance.of(rows);
        assertThat(shared.degreesOfFreedom()).isEqualTo(5);
        // 1e-4 exp(log(5 / 2) - ψ(5 / 2)): on average, the log of an estimate is below the log of the true variance.
        assertThat(shared.variance()).isCloseTo(1.2375e-4, within(1e-7));
        assertThat(shared.with(rows.getFirst()).degreesOfFreedom()).isEqualTo(10);
        assertThat(shared.with(new RatioEstimate(1, 0.01, 3)).degreesOfFreedom())
                .isEqualTo(6);
    }

    @Test
    void fewRowsStandAlone() {
        RatioEstimate row = new RatioEstimate(1, 0.01, 5);
        assertThat(SharedVariance.of(Collections.nCopies(11, row))).isEqualTo(SharedVariance.NONE);
        for (RatioEstimate other : List.of(
                new RatioEstimate(1, Double.POSITIVE_INFINITY, 5),
                new RatioEstimate(1, 0.01, Double.POSITIVE_INFINITY))) {
            var rows = new ArrayList<>(Collections.nCopies(11, row));
            rows.add(other);
            assertThat(SharedVariance.of(rows)).isEqualTo(SharedVariance.NONE);
            rows.add(row);
            assertThat(SharedVariance.of(rows).degreesOfFreedom()).isEqualTo(5);
            assertThat(SharedVariance.of(rows).with(other)).isEqualTo(other);
        }
        assertThat(SharedVariance.of(Collections.nCopies(20, new RatioEstimate(1, 0, 5))))
                .isEqualTo(SharedVariance.NONE);
        assertThat(SharedVariance.NONE.with(row)).isEqualTo(row);
    }

    /** Counts of intervals in simulated runs of pairs, with the rows' own variances and with the shared variance. */
    private record Said(int alarms, int strict, int foundAlone, int found) {}

    /**
     * @param spread the standard deviation of the logs of the rows' variances
     * @param noisy the number of rows whose forks vary 10 times as much
     */
    private static Said runs(ForkNoise noise, int rows, int pairs, double spread, int noisy, int runs) {
        double strict = Simultaneous.level(0.05, rows);
        int[] said = new int[4];
        for (int run = 0; run < runs; run++) {
            var random = new SplittableRandom(77_003L * pairs + run);
            var alone = new ArrayList<RatioEstimate>();
            for (int row = 0; row < rows; row++) {
                double deviation = 0.01 * Math.exp(spread / 2 * random.nextGaussian()) * (row < noisy ? 10 : 1);
                double[] ratios = DoubleStream.generate(() -> noise.next(random))
                        .limit(pairs)
                        .map(current -> deviation * (current - noise.next(random)))
                        .toArray();
                alone.add(estimate(ratios));
            }
            SharedVariance shared = SharedVariance.of(alone);
            for (RatioEstimate row : alone) {
                RatioEstimate moderated = shared.with(row);
                said[0] += leavesOut(1, moderated, 0.95);
                said[1] += leavesOut(1, moderated, strict);
                said[2] += leavesOut(1.05, row, strict);
                said[3] += leavesOut(1.05, moderated, strict);
            }
        }
        return new Said(said[0], said[1], said[2], said[3]);
    }

    /** The estimate of the bootstrap, without the error of its random draws. */
    private static RatioEstimate estimate(double... ratios) {
        double mean = Arrays.stream(ratios).average().orElseThrow();
        double squares = Arrays.stream(ratios)
                .map(ratio -> (ratio - mean) * (ratio - mean))
                .sum();
        int freedom = ratios.length - 1;
        return new RatioEstimate(Math.exp(mean), Math.sqrt(squares / freedom / ratios.length), freedom);
    }

    private static int leavesOut(double ratio, RatioEstimate estimate, double level) {
        Interval interval = estimate.interval(level);
        return interval.low() > ratio || interval.high() < ratio ? 1 : 0;
    }

    /** The table of docs/notes/regression-log.md. Counts must not exceed their 99.9% quantiles. */
    @ParameterizedTest
    @CsvSource({
        "NORMAL, 13, 4, 0, 0",
        "NORMAL, 13, 4, 1, 2",
        "LOGNORMAL, 13, 4, 1.5, 0",
        "NORMAL, 23, 6, 2, 0",
        "DISTURBED, 23, 6, 1.5, 0",
        "NORMAL, 13, 4, 1, 0",
        "NORMAL, 13, 4, 2, 0",
        "BIMODAL, 13, 4, 1.5, 0",
        "DISTURBED, 13, 4, 1.5, 0",
        "NORMAL, 23, 6, 1, 0",
        "NORMAL, 23, 6, 1, 2",
        "LOGNORMAL, 23, 6, 1.5, 0",
        "BIMODAL, 23, 6, 1.5, 0"
    })
    @Tag("long")
    void intervalsMissNoMoreOftenThanStatedAndFindMore(ForkNoise noise, int rows, int pairs, double spread, int noisy) {
        int runs = 20_000 / rows;
        int intervals = rows * runs;
        Said said = runs(noise, rows, pairs, spread, noisy, runs);
        System.out.printf(
                "| %s | %d | %d | %s | %d | %.2f%% | %.3f%% | %.3f%% | %.1f%% | %.1f%% |%n",
                noise,
                rows,
                pairs,
                spread,
                noisy,
                100.0 * said.alarms / intervals,
                100.0 * said.strict / intervals,
                5.0 / rows,
                100.0 * said.foundAlone / intervals,
                100.0 * said.found / intervals);
        assertThat(said.alarms).isLessThanOrEqualTo(atMost(intervals, 0.05));
        assertThat(said.strict).isLessThanOrEqualTo(atMost(intervals, 0.05 / rows));
        assertThat(said.found).isGreaterThan(said.foundAlone);
    }
}
