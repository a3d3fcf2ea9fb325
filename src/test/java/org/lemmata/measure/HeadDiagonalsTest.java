package org.lemmata.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.lemmata.model.Architecture;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ParameterView;
import org.lemmata.model.Parameters;

class HeadDiagonalsTest {

    private static final int WIDTH = 6;
    private static final int HEADS = 3;
    private static final int HEAD_WIDTH = WIDTH / HEADS;

    private static Parameters drawn(long seed) {
        return Parameters.normal(Architecture.gpt2(5, 4, WIDTH, 2, HEADS, 8, 0), 1, new Random(seed));
    }

    /** Entry (i, j) of the product of two factors of a head, computed entry by entry. */
    private static double entry(Parameters parameters, int layer, int head, int i, int j, boolean keyQuery) {
        double sum = 0;
        for (int c = head * HEAD_WIDTH; c < (head + 1) * HEAD_WIDTH; c++) {
            sum += keyQuery
                    ? at(parameters, ParameterRole.KEY, layer, i, c) * at(parameters, ParameterRole.QUERY, layer, j, c)
                    : at(parameters, ParameterRole.VALUE, layer, i, c)
                            * at(parameters, ParameterRole.OUTPUT, layer, c, j);
        }
        return sum;
    }

    private static double at(Parameters parameters, ParameterRole role, int layer, int row, int column) {
        ParameterView view = parameters.architecture().view(role, layer);
        return parameters.values()[view.offset() + row * view.columns() + column];
    }

    private static double strength(Parameters parameters, int layer, int head, boolean keyQuery) {
        double diagonal = 0;
        double others = 0;
        for (int i = 0; i < WIDTH; i++) {
            for (int j = 0; j < WIDTH; j++) {
                double entry = entry(parameters, layer, head, i, j, keyQuery);
                diagonal += i == j ? entry : 0;
                others += i == j ? 0 : entry * entry;
            }
        }
        return diagonal / WIDTH / Math.sqrt(others / (WIDTH * (WIDTH - 1)));
    }

    /** Compares with sums over all entries of the products. */
    @Test
    void isTheMeanOfTheDiagonalOverTheRootMeanSquareOfTheOthers() {
        long seed = 19;
        Parameters parameters = drawn(seed);
        assertThat(HeadDiagonals.of(parameters)).hasSize(2 * HEADS).allSatisfy(head -> {
            assertThat(head.keyQuery())
                    .as("seed %d, %s", seed, head)
                    .isCloseTo(strength(parameters, head.layer(), head.head(), true), within(1e-9));
            assertThat(head.valueOutput())
                    .as("seed %d, %s", seed, head)
                    .isCloseTo(strength(parameters, head.layer(), head.head(), false), within(1e-9));
        });
    }
}
