package org.lemmata.kernel.embedding;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lemmata.kernel.Allocation;
import org.lemmata.kernel.Threads;
import org.lemmata.kernel.embedding.EmbeddingShape.Positions;
import org.lemmata.kernel.thread.Workers;

class VectorEmbeddingTest extends ScalarEmbeddingTest {

    private static final long SEED = 20260405;

    private static final int[] LENGTHS = {100, 0, 924, 0, 0, 700, 1400};

    @Override
    Embedding embedding() {
        return new VectorEmbedding(Workers.caller());
    }

    @ParameterizedTest
    @EnumSource(Positions.class)
    void hasTheBitsOfTheReference(Positions positions) {
        Threads.assertBits(
                results(new ScalarEmbedding(), positions), workers -> results(new VectorEmbedding(workers), positions));
    }

    private static List<float[]> results(Embedding embedding, Positions positions) {
        Problem problem = Problem.of(45, 5, positions, 3, LENGTHS, SEED);
        problem.forward(embedding);
        problem.backward(embedding);
        return problem.all();
    }

    @Tag("allocation")
    @ParameterizedTest
    @EnumSource(Positions.class)
    void aCallAllocatesNothing(Positions positions) {
        Problem problem = Problem.of(45, 5, positions, 3, LENGTHS, SEED);
        Allocation.assertNoneWithThreads(workers -> {
            Embedding embedding = new VectorEmbedding(workers);
            return () -> {
                problem.forward(embedding);
                problem.backward(embedding);
            };
        });
    }
}
