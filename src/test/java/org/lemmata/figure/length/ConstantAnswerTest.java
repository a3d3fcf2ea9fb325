package org.lemmata.figure.length;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.task.length.LengthRange;
import org.lemmata.task.length.ModPTask;
import org.lemmata.task.length.SimpleTask;

/** Compares constant answers with lists of all values, and these lists with samples of the tasks. */
class ConstantAnswerTest {

    private static final Offset<Double> CLOSE = within(1e-12);

    private static double variance(double... values) {
        double mean = Arrays.stream(values).average().orElseThrow();
        return Arrays.stream(values)
                .map(value -> (value - mean) * (value - mean))
                .average()
                .orElseThrow();
    }

    private static double variance(int draws, ToDoubleFunction<SplittableRandom> value) {
        var random = new SplittableRandom(7);
        return variance(DoubleStream.generate(() -> value.applyAsDouble(random))
                .limit(draws)
                .toArray());
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 2", "3, 7", "8, 64", "8, 300"})
    void theLossOfTheMeanOfSimpleTask(int omega, int length) {
        double[] values = LossCurves.simpleTaskValues(omega, length);
        assertThat(values).hasSize((length + 1) * (length + 2) / 2);
        assertThat(LossCurves.simpleTask(omega, length)).isCloseTo(variance(values), CLOSE);
        var task = new SimpleTask(SimpleTask.sine(omega), new LengthRange(length, length));
        double drawn =
                variance(4000, random -> task.value(task.sample(random, length).inputs()));
        assertThat(drawn).isCloseTo(variance(values), within(0.05));
    }

    @ParameterizedTest
    @CsvSource({"2, 4", "5, 80", "5, 5", "3, 80", "10, 5040"})
    void theLossOfTheMeanOfModPTask(int period, int length) {
        double[] values = LossCurves.modPTaskValues(period, length);
        assertThat(LossCurves.modPTask(period, length)).isCloseTo(variance(values), CLOSE);
        var task = new ModPTask(period, 0, new LengthRange(length, length));
        double drawn =
                variance(2000, random -> task.value(task.sample(random, length).inputs()));
        assertThat(drawn).isCloseTo(variance(values), within(0.02));
    }

    @ParameterizedTest
    @CsvSource({"0.1, 0.4", "0.3, 0.8", "0.05, 0.2", "1, 1"})
    void oneAnswerIsRightForAsManyAsItsToleranceHolds(double tolerance, double share) {
        assertThat(LossCurves.right(tolerance, 0.75, 0.1, -0.1, 0.5, 0.25)).isEqualTo(share);
    }
}
