package org.lemmata.kernel.attention;

import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.thread.Workers;

/**
 * The last rows on the Vector API: in lanes positions lie side by side while weights are made, columns while values and
 * gradients are. Scores are scalar products, eight side by side, since each key is read once; no sum goes across lanes.
 *
 * <p>The forward pass has the bits of the last rows of {@link VectorAttention}; both passes have the same for any lane
 * width. Sequences are shared out among the threads. A call allocates nothing once its threads' working arrays have
 * grown to the longest sequence; one instance serves any number of threads.
 *
 * <p>With a score bias the backward pass holds (number of sequences) * heads * biasSpan numbers: an
 * IllegalArgumentException says where these reach 2^31.
 */
public final class VectorLastQueryAttention implements LastQueryAttention {

    private static final ThreadLocal<LastQueryCall> CALL = ThreadLocal.withInitial(LastQueryCall::new);

    private final Workers workers;

    /** On the calling thread alone. */
    public VectorLastQueryAttention() {
        this(Workers.caller());
    }

    public VectorLastQueryAttention(Workers workers) {
        this.workers = workers;
    }

    @Override
    public void forward(
            AttentionOutputs outputs, AttentionInputs inputs, RaggedOffsets sequences, AttentionShape shape) {
        LastQueryAttention.checkForward(outputs, inputs, sequences, shape);
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
        LastQueryAttention.checkBackward(dInputs, dOutputs, outputs, inputs, sequences, shape);
        CALL.get().backward(workers, dInputs, dOutputs, outputs, inputs, sequences, shape);
    }
}
