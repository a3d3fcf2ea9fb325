package org.lemmata.kernel.feedforward;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.normalization.GainAndShift;

class FeedForwardWeightsTest {

    private static @Nullable Matrix row(boolean present) {
        return present ? Matrix.of(new float[3], 1, 3) : null;
    }

    /** Weights of one size, with every combination of present and absent rows. */
    private static List<FeedForwardWeights> choices() {
        var all = new ArrayList<FeedForwardWeights>();
        for (int bits = 0; bits < 16; bits++) {
            all.add(new FeedForwardWeights(
                    Matrix.of(new float[6], 2, 3),
                    row((bits & 1) != 0),
                    new GainAndShift(row((bits & 2) != 0), row((bits & 4) != 0)),
                    Matrix.of(new float[9], 3, 3),
                    row((bits & 8) != 0)));
        }
        return all;
    }

    @Test
    void weightsAreLikeOthersWithTheSameParameters() {
        List<FeedForwardWeights> first = choices();
        List<FeedForwardWeights> second = choices();
        for (int i = 0; i < first.size(); i++) {
            for (int j = 0; j < second.size(); j++) {
                assertThat(first.get(i).isLike(second.get(j)))
                        .as("%d like %d", i, j)
                        .isEqualTo(i == j);
            }
        }
    }

    @Test
    void packedWeightsAreLikeTheirOriginal() {
        for (FeedForwardWeights weights : choices()) {
            float[] array = new float[4 + weights.size()];
            assertThat(weights.packed(array, 4).isLike(weights)).isTrue();
        }
    }
}
