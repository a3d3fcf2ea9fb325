package org.lemmata.statistic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatList;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChangePointsTest {

    /** The probability with which a stationary series shows a change. */
    private static final double FALSE_ALARMS = 0.01;

    @Test
    void stepsAreFoundWhereTheyAreWithTheirLevels() {
        var random = new SplittableRandom(1);
        double[] values = RunNoise.NORMAL.series(random, 60);
        add(values, 20, 60, 8);
        add(values, 35, 60, -5);
        ChangePoints found = ChangePoints.in(values, FALSE_ALARMS);
        assertThat(found.steps()).extracting(ChangePoints.Step::index).containsExactly(20, 35);
        ChangePoints.Step up = found.steps().get(0);
        assertThat(up.before()).isCloseTo(0, within(0.7));
        assertThat(up.after()).isCloseTo(8, within(0.8));
        assertThat(up.deviations()).isCloseTo((up.after() - up.before()) / found.noise(), within(1e-12));
        assertThat(found.steps().get(1).before()).isEqualTo(up.after());
        assertThat(found.steps().get(1).deviations()).isNegative();
        assertThat(found.noise()).isCloseTo(1, within(0.25));
        assertThat(ChangePoints.in(values, FALSE_ALARMS).steps()).isEqualTo(found.steps());
    }

    /**
     * Where the zero lies and how large the unit is says nothing; nor does it matter which way is up, or which end
     * first.
     */
    @Test
    void unitsAndDirectionDoNotMatter() {
        double[] values = RunNoise.LOGNORMAL.series(new SplittableRandom(2), 50);
        add(values, 30, 50, 6);
        assertThat(indices(values)).containsExactly(30);
        assertThat(indices(Arrays.stream(values).map(value -> 4 + 0.01 * value).toArray()))
                .containsExactly(30);
        assertThat(indices(Arrays.stream(values).map(value -> 1000 * value).toArray()))
                .containsExactly(30);
        assertThat(indices(Arrays.stream(values).map(value -> -value).toArray()))
                .containsExactly(30);
        double[] reversed = new double[50];
        Arrays.setAll(reversed, run -> values[49 - run]);
        assertThat(indices(reversed)).containsExactly(20);
    }

    /**
     * One run far out is no change, nor are two or three; four at one level are. Outliers are named, and stay in the
     * costs.
     */
    @Test
    void outliersAreFlaggedAndNoChanges() {
        double[] values = RunNoise.NORMAL.series(new SplittableRandom(3), 40);
        values[12] = 30;
        values[25] = -12;
        values[26] = -12;
        ChangePoints found = ChangePoints.in(values, FALSE_ALARMS);
        assertThat(found.steps()).isEmpty();
        assertThatList(found.outliers()).containsExactly(12, 25, 26);
        values[27] = -12;
        assertThat(ChangePoints.in(values, FALSE_ALARMS).steps()).isEmpty();
        values[28] = -12;
        found = ChangePoints.in(values, FALSE_ALARMS);
        assertThat(found.steps()).extracting(ChangePoints.Step::index).containsExactly(25, 29);
        assertThatList(found.outliers()).containsExactly(12);
    }

    /** A count that hardly ever changes has no noise to estimate. */
    @Test
    void seriesWithoutNoiseShowTheirSteps() {
        double[] values = new double[30];
        Arrays.fill(values, Math.log(4096));
        ChangePoints level = ChangePoints.in(values, FALSE_ALARMS);
        assertThat(level.steps()).isEmpty();
        assertThatList(level.outliers()).isEmpty();
        add(values, 27, 30, Math.log(4104.0 / 4096));
        assertThat(indices(values)).containsExactly(27);
        values[5] += 0.1;
        assertThatList(ChangePoints.in(values, FALSE_ALARMS).outliers()).containsExactly(5);
        assertThat(indices(values)).containsExactly(27);
    }

    /** Every fifth run a little higher: rounding of the unit, not noise of a millionth. */
    @Test
    void roundedValuesAreNoSteps() {
        double[] values = new double[40];
        var random = new SplittableRandom(4);
        for (int run = 0; run < 40; run++) {
            values[run] = random.nextInt(5) == 0 ? 0.01 : 0;
        }
        assertThat(ChangePoints.in(values, FALSE_ALARMS).steps()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 9})
    void fewRunsSayNothing(int runs) {
        double[] values = new double[runs];
        Arrays.setAll(values, run -> run < runs / 2 ? 0 : 100);
        ChangePoints found = ChangePoints.in(values, 0.05);
        assertThat(found.steps()).isEmpty();
        assertThat(found.noise()).isNaN();
    }

    @Test
    void unusableValuesAreRefused() {
        assertThatThrownBy(() -> ChangePoints.in(new double[] {1, Double.NaN}, FALSE_ALARMS)
                        .steps())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("values: expected finite numbers, got NaN");
        assertThatThrownBy(() -> ChangePoints.in(new double[20], 0.5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("falseAlarms: expected 0.0001 to 0.05, got 0.5");
    }

    /** The cost of a stretch against a search over a fine grid of levels, and its level against the cost there. */
    @Tag("long")
    @Test
    void boundedCostsAreLeast() {
        var random = new SplittableRandom(6);
        for (int trial = 0; trial < 200; trial++) {
            double[] values = RunNoise.NORMAL.series(random, 1 + random.nextInt(12));
            for (int i = 0; i < values.length; i++) {
                values[i] *= 4;
            }
            double minimum = Double.POSITIVE_INFINITY;
            for (double level = -20; level < 20; level += 0.002) {
                minimum = Math.min(minimum, cost(values, level));
            }
            double cost = BoundedCost.ofStretches(values)[0][values.length - 1];
            assertThat(cost).as("trial %s", trial).isCloseTo(minimum, within(1e-4));
            assertThat(cost(values, BoundedCost.level(values, 0, values.length)))
                    .isCloseTo(cost, within(1e-9));
        }
    }

    private static double cost(double[] values, double level) {
        return Arrays.stream(values)
                .map(value -> Math.min((value - level) * (value - level), BoundedCost.BOUND * BoundedCost.BOUND))
                .sum();
    }

    static void add(double[] values, int from, int to, double shift) {
        for (int run = from; run < to; run++) {
            values[run] += shift;
        }
    }

    private static int[] indices(double[] values) {
        return ChangePoints.in(values, FALSE_ALARMS).steps().stream()
                .mapToInt(ChangePoints.Step::index)
                .toArray();
    }
}
