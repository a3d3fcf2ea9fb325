package org.lemmata.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class FixedPositionsTest {

    private static Parameters parameters(PositionOptions positions, int width) {
        Architecture architecture = Architecture.gpt2(3, 6, width, 1, 1, 4, 0).withPositions(positions);
        return Parameters.normal(architecture, 1, RandomGenerator.of("L64X128MixRandom"));
    }

    private static float[] table(Parameters parameters) {
        ParameterView view = parameters.architecture().view(ParameterRole.POSITION_EMBEDDING, ParameterView.NO_LAYER);
        return Arrays.copyOfRange(parameters.values(), view.offset(), view.offset() + view.size());
    }

    @Test
    void sinesAndCosinesTurnByTheAngleOfTheirPair() {
        // An odd width ends with a sine. Row t is computed independently, by rotating row 1 t - 1 times.
        Parameters parameters = parameters(PositionOptions.table(), 5);
        FixedWeights.SINUSOIDAL.writeInto(parameters);
        float[] table = table(parameters);
        double[] wavelengths = {1, Math.pow(10, 4 * 2.0 / 5), Math.pow(10, 4 * 4.0 / 5)};
        for (int pair = 0; pair < 3; pair++) {
            double stepSine = Math.sin(1 / wavelengths[pair]);
            double stepCosine = Math.cos(1 / wavelengths[pair]);
            double sine = 0;
            double cosine = 1;
            for (int t = 0; t < 6; t++) {
                assertThat((double) table[t * 5 + 2 * pair]).isCloseTo(sine, within(1e-7));
                if (pair < 2) {
                    assertThat((double) table[t * 5 + 2 * pair + 1]).isCloseTo(cosine, within(1e-7));
                }
                double turned = sine * stepCosine + cosine * stepSine;
                cosine = cosine * stepCosine - sine * stepSine;
                sine = turned;
            }
        }
    }

    @Test
    void oneHotRowsTellPositionsApart() {
        Parameters parameters = parameters(PositionOptions.periodic(3), 4);
        float[] before = parameters.values().clone();
        FixedWeights.ONE_HOT.writeInto(parameters);
        assertThat(table(parameters)).containsExactly(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);
        ParameterView view = parameters.architecture().view(ParameterRole.POSITION_EMBEDDING, ParameterView.NO_LAYER);
        System.arraycopy(table(parameters), 0, before, view.offset(), view.size());
        assertThat(parameters.values()).as("nothing else is written").isEqualTo(before);
    }

    @Test
    void whatHasNoRoomIsRefused() {
        assertRefused(
                () -> FixedWeights.SINUSOIDAL.writeInto(parameters(PositionOptions.none(), 4)),
                "positions: expected a table for SINUSOIDAL, got NONE");
        assertRefused(
                () -> FixedWeights.ONE_HOT.writeInto(parameters(PositionOptions.table(), 5)),
                "width: expected at least 6, the rows of the position table, for ONE_HOT, got 5");
    }
}
