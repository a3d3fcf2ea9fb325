package org.lemmata.measure.precision;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.NumberFormat;
import org.lemmata.number.Rounding;
import org.lemmata.number.Rounding.Mode;
import org.lemmata.random.RandomStream;

class RunningSumTest {

    private static final RandomStream STREAM = new RandomStream(4, 0, 0);

    @ParameterizedTest
    @CsvSource({
        "bfloat16, 256",
        "binary16, 2048",
        "ocp_e5m2, 8",
        "ocp_e4m3, 16",
        "e2m3, 7",
        "e2m1, 4",
        "binary32, 16777216"
    })
    void aSumOfOnesIsRightUpToTwoToThePrecision(String name, int count) {
        NumberFormat format = NumberFormat.find(name).orElseThrow();
        assertThat(RunningSum.maxCountOfOnes(format)).isEqualTo(count);
        assertThat(RunningSum.maxCountOfOnesByLaw(format)).isEqualTo(count);
    }

    @Test
    void toNearestEvenItThenStandsStillAndStochasticallyItDoesNot() {
        Rounding nearest = Rounding.toNearestEven(FloatFormat.BFLOAT16);
        assertThat(RunningSum.ofOnes(255, nearest, STREAM)).isEqualTo(255);
        assertThat(RunningSum.ofOnes(100_000, nearest, STREAM)).isEqualTo(256);
        Rounding stochastic = new Rounding(FloatFormat.BFLOAT16, Mode.STOCHASTIC, true, false);
        double mean = 0;
        for (long seed = 0; seed < 50; seed++) {
            mean += RunningSum.ofOnes(4096, stochastic, new RandomStream(seed, 0, 0)) / 50.0;
        }
        // A step of 16 has probability 1/16, so the standard deviation of a sum is below 16 sqrt(4096 / 16) = 256.
        assertThat(mean).isBetween(4096 - 150.0, 4096 + 150.0);
    }

    @Test
    void theErrorOfWeightsIsThatOfTheirSumAlone() {
        assertThat(RunningSum.errorOfWeights(1, 1, Rounding.toNearestEven(FloatFormat.E2M1)))
                .isZero();
        assertThat(Math.abs(RunningSum.errorOfWeights(1, 512, Rounding.toNearestEven(FloatFormat.BINARY32))))
                .isBetween(1e-9, 1e-5);
        double[] scores = NormalHead.of(2, 200).scores(199, 200);
        double maximum = Arrays.stream(scores).max().orElseThrow();
        Rounding rounding = Rounding.toNearestEven(FloatFormat.OCP_E4M3);
        double exact = 0;
        double sum = 0;
        for (int j = 0; j < 200; j++) {
            double weight = rounding.round(Math.exp(scores[j] - maximum));
            exact += weight;
            sum = rounding.round(sum + weight);
        }
        assertThat(RunningSum.errorOfWeights(2, 200, rounding)).isEqualTo(sum / exact - 1);
        assertThat(sum / exact - 1).isLessThan(-0.2);
    }
}
