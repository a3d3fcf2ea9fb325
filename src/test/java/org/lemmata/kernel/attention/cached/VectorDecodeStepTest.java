package org.lemmata.kernel.attention.cached;

import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.lemmata.kernel.Allocation;
import org.lemmata.kernel.attention.Attention;
import org.lemmata.kernel.attention.AttentionCase;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.VectorAttention;
import org.lemmata.kernel.thread.Workers;

class VectorDecodeStepTest extends DecodeStepContract {

    @Override
    CachedAttention step() {
        return new VectorCachedAttention(Workers.caller());
    }

    @Override
    Attention attention() {
        return new VectorAttention(Workers.caller());
    }

    @Override
    void withOtherThreads(Consumer<CachedAttention> check) {
        for (int threads : new int[] {2, 3, 8}) {
            try (Workers workers = Workers.of(threads)) {
                check.accept(new VectorCachedAttention(workers));
            }
        }
    }

    /** Appending included; the length grows from call to call, as in generation. */
    @Tag("allocation")
    @Test
    void callsAllocateNothingOnceCompiled() {
        AttentionShape shape = AttentionShape.softmax(2, 24).withIdentities(5).withScoreBias(3);
        AttentionCase inputs = AttentionCase.normal(shape, 67, 200, 200);
        AttentionOutputs outputs = AttentionOutputs.zeros(inputs.sequences(), shape);
        AttentionCache cache = new AttentionCache(shape, 2, 1000);
        int[] sequences = {1, 0};
        Allocation.assertNoneWithThreads(workers -> {
            CachedAttention step = new VectorCachedAttention(workers);
            return () -> {
                for (int sequence = 0; sequence < 2; sequence++) {
                    if (cache.length(sequence) == cache.capacity()) {
                        cache.truncate(sequence, 0);
                    }
                    cache.append(sequence, inputs.inputs(), 0, 1 + sequence);
                }
                step.forward(outputs, inputs.inputs(), cache, sequences, 2);
            };
        });
    }
}
