package org.lemmata.kernel.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lemmata.kernel.Allocation;
import org.lemmata.kernel.embedding.EmbeddingShape.Positions;
import org.lemmata.kernel.thread.Workers;

class VectorEmbeddingTest extends EmbeddingContract {

    private static final long SEED = 20260405;

    private static final int[] LENGTHS = {100, 0, 924, 0, 0, 700, 1400};

    @Override
    Embedding embedding() {
        return new VectorEmbedding(Workers.caller());
    }

    /** For any lanes, and any number of threads, of which each may take any chunk. */
    @ParameterizedTest
    @EnumSource(Positions.class)
    void hasTheBitsOfTheReference(Positions positions) {
        Problem expected = Problem.of(45, 5, positions, 3, LENGTHS, SEED);
        float[] dOutputs = expected.randomOutputs(new SplittableRandom(SEED));
        expected.forward(new ScalarEmbedding());
        expected.backward(new ScalarEmbedding(), dOutputs);
        for (int threads : new int[] {1, 2, 3, 8}) {
            try (Workers workers = Workers.of(threads)) {
                Embedding embedding = new VectorEmbedding(workers);
                Problem actual = Problem.of(45, 5, positions, 3, LENGTHS, SEED);
                actual.forward(embedding);
                actual.backward(embedding, dOutputs);
                assertThat(actual.outputs).as("%d threads", threads).isEqualTo(expected.outputs);
                assertThat(actual.parameters).as("%d threads", threads).isEqualTo(expected.parameters);
            }
        }
    }

    @Tag("allocation")
    @ParameterizedTest
    @EnumSource(Positions.class)
    void aCallAllocatesNothing(Positions positions) {
        Problem problem = Problem.of(45, 5, positions, 3, LENGTHS, SEED);
        float[] dOutputs = new float[problem.outputs.length];
        Allocation.assertNoneWithThreads(workers -> {
            Embedding embedding = new VectorEmbedding(workers);
            return () -> {
                problem.forward(embedding);
                problem.backward(embedding, dOutputs);
            };
        });
    }
}
