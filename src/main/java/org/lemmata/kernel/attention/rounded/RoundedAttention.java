package org.lemmata.kernel.attention.rounded;

import org.jspecify.annotations.Nullable;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.Attention;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.attention.VectorAttention;
import org.lemmata.kernel.quantization.RoundedMultiplyAdd;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.random.RandomStream;

/**
 * Attention with each site of an {@link AttentionRounding} rounded to its own number format, on the Vector API: the
 * bits of {@link ScalarRoundedAttention}, which states what they are, for every number of threads and of lanes.
 *
 * <p>The scores of a block of queries with all keys that it sees stay in memory, since the maximum of the rounded
 * scores comes before the first weight; everything else is as in {@link VectorAttention}. The way of the reference, on
 * the calling thread alone, go: uniform weights; the site {@code sums} where it is stochastic or there are identity
 * terms; the backward pass with the site {@code sums}, identity terms or a score bias.
 */
public final class RoundedAttention implements Attention {

    private static final ThreadLocal<RoundedForwardCall> FORWARD = ThreadLocal.withInitial(RoundedForwardCall::new);
    private static final ThreadLocal<RoundedBackwardCall> BACKWARD = ThreadLocal.withInitial(RoundedBackwardCall::new);

    private final AttentionRounding rounding;
    private final RandomStream stream;
    private final Workers workers;
    private final @Nullable RoundedMultiplyAdd sums;
    private final @Nullable RoundedMultiplyAdd plainSums;
    private final ScalarRoundedAttention reference;

    /** With the random words of {@code stream}; an object of its own for each stream costs next to nothing. */
    public RoundedAttention(AttentionRounding rounding, RandomStream stream, Workers workers) {
        this.rounding = rounding;
        this.stream = stream;
        this.workers = workers;
        sums = rounding.sums() == null ? null : new RoundedMultiplyAdd(rounding.sums(), rounding.sums());
        plainSums = rounding.sums() == null ? null : new RoundedMultiplyAdd(null, rounding.sums());
        reference = new ScalarRoundedAttention(rounding, stream);
    }

    @Override
    public void forward(
            AttentionOutputs outputs, AttentionInputs inputs, RaggedOffsets sequences, AttentionShape shape) {
        if (!isOnLanes(shape)) {
            reference.forward(outputs, inputs, sequences, shape);
        } else {
            Attention.checkForward(outputs, inputs, sequences, shape);
            FORWARD.get().forward(workers, rounding, sums, plainSums, stream, outputs, inputs, sequences, shape);
        }
    }

    private boolean isOnLanes(AttentionShape shape) {
        boolean sumsAreOnLanes = sums == null || (!sums.sums().isStochastic() && shape.identityWidth() == 0);
        return sumsAreOnLanes && shape.weighting() != Weighting.UNIFORM;
    }

    @Override
    public void backward(
            AttentionInputs dInputs,
            AttentionOutputs dOutputs,
            AttentionOutputs outputs,
            AttentionInputs inputs,
            RaggedOffsets sequences,
            AttentionShape shape) {
        boolean plain = shape.identityWidth() == 0 && shape.biasSpan() == 0;
        if (rounding.sums() == null && shape.weighting() != Weighting.UNIFORM && plain) {
            Attention.checkBackward(dInputs, dOutputs, outputs, inputs, sequences, shape);
            BACKWARD.get().backward(workers, rounding, stream, dInputs, dOutputs, inputs, sequences, shape);
        } else {
            reference.backward(dInputs, dOutputs, outputs, inputs, sequences, shape);
        }
    }
}
