package org.lemmata.kernel.attention.cached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.lemmata.kernel.Allocation;
import org.lemmata.kernel.attention.Attention;
import org.lemmata.kernel.attention.AttentionCase;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.VectorAttention;
import org.lemmata.kernel.thread.Workers;

class VectorDecodeStepTest extends ScalarDecodeStepTest {

    @Override
    CachedAttention step(Workers workers) {
        return new VectorCachedAttention(workers);
    }

    @Override
    Attention attention() {
        return new VectorAttention(Workers.caller());
    }

    /** The only case in which the forward pass computes heads together and divides before it multiplies. */
    @Test
    void aFirstTokenOfManyHeadsIsNearTheForwardPass() {
        AttentionShape shape = AttentionShape.softmax(16, 16).withIdentities(16);
        for (int seed = 0; seed < 50; seed++) {
            AttentionCase inputs = AttentionCase.normal(shape, seed, 1);
            for (int at = 0; at < shape.width(); at++) {
                inputs.queries()[at] *= 30;
                inputs.values()[at] = 2 - inputs.values()[at] * 0x1p-20f;
            }
            AttentionOutputs expected = inputs.forward(attention());
            AttentionOutputs actual = walk(step(), inputs);
            assertThat(actual.outputs()).containsExactly(expected.outputs(), within(Math.ulp(2f)));
            assertThat(actual.identityOutputs()).containsExactly(expected.identityOutputs(), within(32 * Math.ulp(2f)));
            inputs.queries()[seed] = Float.NaN;
            for (AttentionOutputs outputs : List.of(inputs.forward(attention()), walk(step(), inputs))) {
                for (int at = 0; at < shape.width(); at++) {
                    assertThat(Float.isNaN(outputs.outputs()[at])).isEqualTo(at / 16 == seed / 16);
                }
                for (float z : outputs.identityOutputs()) {
                    assertThat(z).isNaN();
                }
            }
        }
    }

    /** Includes appending; the length grows from call to call, as in generation. */
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
