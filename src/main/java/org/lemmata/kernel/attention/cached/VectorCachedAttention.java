package org.lemmata.kernel.attention.cached;

import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.VectorAttention;
import org.lemmata.kernel.thread.Workers;

/**
 * The last rows on the Vector API: in lanes positions lie side by side while weights are made, columns while values and
 * gradients are summed, and no sum goes across lanes. Scores of rows, each of which is read once, are scalar products,
 * eight side by side.
 *
 * <p>The forward pass has the bits of the last rows of {@link VectorAttention}, unless that takes the heads of a short
 * sequence without a mask together; both passes have the same for any lane width. The heads of all queries are shared
 * out among the threads. A call allocates nothing once its threads' working arrays have grown to the maximum capacity
 * of a cache, the longest sequence and the most rows seen; one instance serves any number of threads.
 *
 * <p>With a score bias the backward pass holds (number of sequences) * heads * biasSpan numbers: an
 * IllegalArgumentException says where these reach 2^31.
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
        CALL.get().forward(workers, outputs, inputs, cache, sequences, count);
    }

    @Override
    public void forward(
            AttentionOutputs outputs, AttentionInputs inputs, RaggedOffsets sequences, AttentionShape shape) {
        CachedAttention.checkForward(outputs, inputs, sequences, shape);
        CALL.get().forward(workers, outputs, inputs, sequences, shape);
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
        CALL.get().backward(workers, dInputs, dOutputs, outputs, inputs, sequences, shape);
    }
}
