package org.lemmata.kernel.attention.cached;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.Allocation;
import org.lemmata.kernel.attention.Attention;
import org.lemmata.kernel.attention.AttentionCase;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.attention.VectorAttention;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.thread.Workers;

class VectorLastQueryTest extends ScalarLastQueryTest {

    @Override
    CachedAttention kernel(Workers workers) {
        return new VectorCachedAttention(workers);
    }

    @Override
    Attention attention() {
        return new VectorAttention(Workers.caller());
    }

    /** Without a mask, the heads of a short sequence are computed together if they fill the lanes. */
    @Override
    boolean hasTheBitsOfTheWhole(AttentionShape shape) {
        int lanes = Species.FLOAT.length();
        boolean together = shape.weighting() == Weighting.SOFTMAX
                && shape.mask() == Mask.NONE
                && shape.biasSpan() == 0
                && 2 * shape.heads() >= lanes
                && shape.headWidth() % lanes == 0;
        return !together;
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
            CachedAttention kernel = new VectorCachedAttention(workers);
            return () -> {
                kernel.forward(outputs, inputs.inputs(), sequences, shape);
                kernel.backward(gradients, inputs.dOutputs(), outputs, inputs.inputs(), sequences, shape);
            };
        });
    }
}
