package org.lemmata.kernel.attention.cached;

import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.VectorAttention;
import org.lemmata.kernel.thread.Workers;

/**
 * Computes the last rows on the Vector API. Each lane processes a position while weights are computed, and a column
 * while values and gradients are summed, so no sum goes across lanes. If keys are rows of sequences, each row is read
 * only once, so its score is a scalar sum; eight are computed at a time.
 *
 * <p>The forward pass is bit-identical to the last rows of {@link VectorAttention}, except if {@link VectorAttention}
 * processes the heads of a short sequence together. The bits of both passes do not depend on the number of lanes. The
 * heads of all queries are divided among the threads. A call allocates nothing once the scratch arrays of its threads
 * have grown to the largest capacity of a cache, the longest sequence and the largest number of rows so far. One
 * instance serves any number of threads.
 *
 * <p>With a score bias, the backward pass needs (number of sequences) * heads * biasSpan floats. If this number reaches
 * 2^31, an IllegalArgumentException is thrown.
 */
public final class VectorCachedAttention implements CachedAttention {

    private static final ThreadLocal<CachedAttentionCall> CALL = ThreadLocal.withInitial(CachedAttentionCall::new);

    private final Workers workers;

    public VectorCachedAttention(Workers workers) {
        this.workers = workers;
    }

    @Override
    public void forward(
            AttentionOutputs outputs, AttentionInputs inputs, AttentionCache cache, int[] sequences, int count) {
        CachedAttention.checkForward(outputs, inputs, cache, sequences, count);
        CALL.get()
                .over(cache, sequences)
                .run(workers, null, AttentionOutputs.EMPTY, outputs, inputs, cache.shape(), count);
    }

    @Override
    public void forward(
            AttentionOutputs outputs, AttentionInputs inputs, RaggedOffsets sequences, AttentionShape shape) {
        CachedAttention.checkForward(outputs, inputs, sequences, shape);
        CALL.get()
                .over(sequences)
                .run(workers, null, AttentionOutputs.EMPTY, outputs, inputs, shape, sequences.count());
    }

    @Override
    public void backward(
            AttentionInputs dInputs,
            AttentionOutputs dOutputs,
            AttentionOutputs outputs,
            AttentionInputs inputs,
            RaggedOffsets sequences,
            AttentionShape shape) {
        CachedAttention.checkBackward(dInputs, dOutputs, outputs, inputs, sequences, shape);
        CALL.get().over(sequences).run(workers, dInputs, dOutputs, outputs, inputs, shape, sequences.count());
    }
}
