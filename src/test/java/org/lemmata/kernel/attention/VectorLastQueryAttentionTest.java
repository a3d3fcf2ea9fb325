package org.lemmata.kernel.attention;

import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.Allocation;
import org.lemmata.kernel.thread.Workers;

class VectorLastQueryAttentionTest extends LastQueryAttentionContract {

    @Override
    LastQueryAttention kernel() {
        return new VectorLastQueryAttention();
    }

    @Override
    Attention attention() {
        return new VectorAttention();
    }

    @Override
    void withOtherThreads(Consumer<LastQueryAttention> check) {
        for (int threads : new int[] {2, 3, 8}) {
            try (Workers workers = Workers.of(threads)) {
                check.accept(new VectorLastQueryAttention(workers));
            }
        }
    }

    @Tag("allocation")
    @Test
    void callsAllocateNothingOnceCompiled() {
        AttentionShape shape = AttentionShape.softmax(2, 24).withScoreBias(3);
        AttentionCase inputs = AttentionCase.normal(shape, 67, 200, 7, 90);
        AttentionInputs gradients = AttentionInputs.zeros(inputs.sequences(), shape);
        AttentionOutputs outputs = AttentionOutputs.zeros(inputs.sequences(), shape);
        RaggedOffsets sequences = inputs.sequences();
        Allocation.assertNoneWithThreads(workers -> {
            LastQueryAttention kernel = new VectorLastQueryAttention(workers);
            return () -> {
                kernel.forward(outputs, inputs.inputs(), sequences, shape);
                kernel.backward(gradients, inputs.dOutputs(), outputs, inputs.inputs(), sequences, shape);
            };
        });
    }
}
