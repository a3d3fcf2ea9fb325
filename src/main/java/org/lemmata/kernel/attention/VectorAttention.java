package org.lemmata.kernel.attention;

import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.thread.Workers;

/**
 * Attention on the Vector API, a block of queries with a block of keys at a time.
 *
 * <p>Scores lie with the queries of a block side by side, so that softmax runs down the lanes and no sum goes across
 * them; {@link AttentionForward} and {@link AttentionBackward} have the rest. Many heads of a sequence of few tokens go
 * together instead ({@link ShortHeads}), with sums across lanes, whose bits are those of one lane width. Memory is
 * linear in the length. The working arrays belong to the thread, grow to the largest head seen, and stay: a call
 * allocates nothing once they are large enough, and one instance serves any number of threads.
 *
 * <p>In blocks every sum has an order that the shape fixes: inner products and weighted sums run in ascending order
 * with fused multiply-adds, the sum of weights by blocks of {@link AttentionProducts#QUERIES} keys. So the bits are the
 * same for every number of threads and of lanes, and whatever else is in the batch. Uniform attention has the bits of
 * {@link ScalarAttention}. Exponentials below 2^-126 are 0, and a score that the scale takes past the largest binary32
 * number does so times log2(e).
 *
 * <p>With identity terms the working arrays hold total * heads * identityWidth numbers, for a part of each head, and
 * the backward pass with a score bias (number of sequences) * heads * biasSpan: an IllegalArgumentException says where
 * these reach 2^31. Uniform attention, which reads each number once, runs on the calling thread alone, and so does the
 * sum over the heads of those parts.
 */
public final class VectorAttention implements Attention {

    private static final ThreadLocal<ForwardCall> FORWARD = ThreadLocal.withInitial(ForwardCall::new);
    private static final ThreadLocal<BackwardCall> BACKWARD = ThreadLocal.withInitial(BackwardCall::new);

    private static final ThreadLocal<UniformAttention> UNIFORM = ThreadLocal.withInitial(UniformAttention::new);

    private final Workers workers;

    public VectorAttention(Workers workers) {
        this.workers = workers;
    }

    @Override
    public void forward(
            AttentionOutputs outputs, AttentionInputs inputs, RaggedOffsets sequences, AttentionShape shape) {
        Attention.checkForward(outputs, inputs, sequences, shape);
        if (shape.weighting() == Weighting.UNIFORM) {
            UNIFORM.get().forward(outputs, inputs, sequences, shape);
        } else {
            FORWARD.get().forward(workers, outputs, inputs, sequences, shape);
        }
    }

    @Override
    public void backward(
            AttentionInputs dInputs,
            AttentionOutputs dOutputs,
            AttentionOutputs outputs,
            AttentionInputs inputs,
            RaggedOffsets sequences,
            AttentionShape shape) {
        Attention.checkBackward(dInputs, dOutputs, outputs, inputs, sequences, shape);
        if (shape.weighting() == Weighting.UNIFORM) {
            UNIFORM.get().backward(dInputs, dOutputs, inputs, sequences, shape);
        } else {
            BACKWARD.get().backward(workers, dInputs, dOutputs, outputs, inputs, sequences, shape);
        }
    }
}
