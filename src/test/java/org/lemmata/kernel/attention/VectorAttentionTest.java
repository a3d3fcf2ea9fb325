package org.lemmata.kernel.attention;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.lemmata.kernel.attention.AttentionShape.Weighting;

class VectorAttentionTest extends AttentionContract {

    @Override
    Attention attention() {
        return new VectorAttention();
    }

    @Test
    void uniformAttentionHasTheBitsOfTheScalarReference() {
        for (int headWidth : new int[] {1, 5, 8, 16, 19, 64, 70}) {
            AttentionCase inputs =
                    AttentionCase.normal(AttentionCase.shape(Weighting.UNIFORM, 1, headWidth), 43, 100, 0, 33);
            assertThat(inputs.run(attention())).isEqualTo(inputs.run(new ScalarAttention()));
        }
    }

    @Test
    void hardmaxOfExactScoresHasTheBitsOfTheScalarReference() {
        for (int headWidth : new int[] {1, 5, 16, 33, 64}) {
            AttentionShape shape = new AttentionShape(Weighting.HARDMAX, 2, headWidth, 0.5f);
            AttentionCase inputs = AttentionCase.integers(shape, 47, 100, 0, 33);
            assertThat(inputs.run(attention())).isEqualTo(inputs.run(new ScalarAttention()));
        }
    }

    /** More positions than fit the caches nearby: panels, strides and tails stay right. */
    @Test
    void aLongSequenceHasTheOutputsOfTheScalarReference() {
        AttentionCase inputs = AttentionCase.integers(new AttentionShape(Weighting.HARDMAX, 1, 3, 1), 53, 4099);
        assertThat(inputs.run(attention())).isEqualTo(inputs.run(new ScalarAttention()));
    }

    @Test
    void oneInstanceServesThreadsAtTheSameTime() throws Exception {
        Attention shared = attention();
        List<AttentionCase> cases = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            cases.add(AttentionCase.normal(AttentionCase.shape(Weighting.SOFTMAX, 2, 24), i, 150 + i, 3));
        }
        List<float[]> alone = cases.stream().map(inputs -> inputs.run(shared)).toList();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<float[]>> together = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                AttentionCase inputs = cases.get(i % cases.size());
                together.add(threads.submit(() -> inputs.run(shared)));
            }
            for (int i = 0; i < 64; i++) {
                assertThat(together.get(i).get()).isEqualTo(alone.get(i % cases.size()));
            }
        }
    }
}
