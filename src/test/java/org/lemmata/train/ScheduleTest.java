package org.lemmata.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.lemmata.train.Schedule.ConstantRate;
import org.lemmata.train.Schedule.CosineDecay;
import org.lemmata.train.Schedule.LinearWarmUp;
import org.lemmata.train.Schedule.StepDecay;

class ScheduleTest {

    private static double[] factors(Schedule schedule, long from, long to) {
        return LongStream.rangeClosed(from, to).mapToDouble(schedule::factor).toArray();
    }

    @Test
    void constant() {
        assertThat(factors(new ConstantRate(), 1, 3)).containsExactly(1, 1, 1);
    }

    @Test
    void stepDecay() {
        assertThat(factors(new StepDecay(2, 0.5), 1, 7)).containsExactly(1, 1, 0.5, 0.5, 0.25, 0.25, 0.125);
        assertThat(new StepDecay(1, 0).factor(1)).isEqualTo(1);
        assertThat(new StepDecay(1, 0).factor(2)).isZero();
    }

    /** cos(0), cos(60 degrees), cos(120 degrees), cos(180 degrees). */
    @Test
    void cosine() {
        assertThat(factors(new CosineDecay(3, 0.2), 1, 6))
                .containsExactly(new double[] {1, 0.2 + 0.8 * 0.75, 0.2 + 0.8 * 0.25, 0.2, 0.2, 0.2}, within(0x1p-52));
        assertThat(factors(new CosineDecay(7, 1), 1, 9)).containsOnly(1);
    }

    @Test
    void warmUpIsALineThatEveryScheduleGoesOnFrom() {
        assertThat(factors(new LinearWarmUp(3, new ConstantRate()), 1, 6)).containsExactly(0.25, 0.5, 0.75, 1, 1, 1);
        assertThat(factors(new LinearWarmUp(1, new StepDecay(2, 0.5)), 1, 6))
                .containsExactly(0.5, 1, 1, 0.5, 0.5, 0.25);
        assertThat(factors(new LinearWarmUp(0, new ConstantRate()), 1, 2)).containsExactly(1, 1);
        assertThat(factors(new LinearWarmUp(2, new CosineDecay(2, 0)), 1, 6))
                .containsExactly(new double[] {1 / 3.0, 2 / 3.0, 1, 0.5, 0, 0}, within(0x1p-52));
        assertThat(factors(new LinearWarmUp(1, new LinearWarmUp(1, new ConstantRate())), 1, 3))
                .containsExactly(0.5, 0.5, 1);
    }

    @Test
    void refusesWhatIsNoSchedule() {
        assertRefused(() -> new CosineDecay(0, 0), "steps: expected at least 1, got 0");
        assertRefused(() -> new CosineDecay(1, 1.5), "floor: expected a number from 0 to 1, got 1.5");
        assertRefused(() -> new StepDecay(0, 0.5), "every: expected at least 1, got 0");
        assertRefused(() -> new StepDecay(1, Double.NaN), "ratio: expected a number from 0 to 1, got NaN");
        assertRefused(() -> new LinearWarmUp(-1, new ConstantRate()), "steps: expected at least 0, got -1");
    }
}
