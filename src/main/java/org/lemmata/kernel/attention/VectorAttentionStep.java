package org.lemmata.kernel.attention;

import org.lemmata.kernel.thread.Workers;

/**
 * A step on the Vector API: positions lie side by side in the lanes while scores and weights are made, columns while
 * values are summed, and no sum goes across lanes.
 *
 * <p>It has the bits of the last row of {@link VectorAttention}, and so of any lane width. The heads of all queries are
 * shared out among the threads. A call allocates nothing once its threads' working arrays have grown to the maximum
 * capacity of a cache and the most rows seen; one instance serves any number of threads.
 */
public final class VectorAttentionStep implements AttentionStep {

    private static final ThreadLocal<StepCall> CALL = ThreadLocal.withInitial(StepCall::new);

    private final Workers workers;

    /** On the calling thread alone. */
    public VectorAttentionStep() {
        this(Workers.caller());
    }

    public VectorAttentionStep(Workers workers) {
        this.workers = workers;
    }

    @Override
    public void forward(
            AttentionOutputs outputs, AttentionInputs inputs, AttentionCache cache, int[] sequences, int count) {
        AttentionStep.check(outputs, inputs, cache, sequences, count);
        CALL.get().run(workers, outputs, inputs, cache, sequences, count);
    }
}
