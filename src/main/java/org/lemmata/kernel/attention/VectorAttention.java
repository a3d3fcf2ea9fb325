package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionPacking.atLeast;

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

    /** The forward pass of all heads and sequences. */
    static final class ForwardCall extends AttentionCall {

        private static final ThreadLocal<AttentionForward> PASS = ThreadLocal.withInitial(AttentionForward::new);

        private static final ThreadLocal<ShortHeads> SHORT = ThreadLocal.withInitial(ShortHeads::new);

        /** The averages of tokens, row by row and head by head, of which the identity outputs are made. */
        private float[] headAverages = {};

        void forward(
                Workers workers,
                AttentionOutputs outputs,
                AttentionInputs inputs,
                RaggedOffsets sequences,
                AttentionShape shape) {
            headAverages = atLeast(headAverages, shape.headTokens(sequences.total()));
            run(workers, outputs, inputs, sequences, shape);
        }

        @Override
        protected int run(AttentionUnit unit) {
            if (ShortHeads.suits(shape(), unit.length())) {
                return SHORT.get().forward(outputs(), unit);
            }
            PASS.get().run(outputs(), headAverages, unit);
            return 1;
        }

        @Override
        protected void finish(Workers workers) {
            RaggedOffsets offsets = sequences();
            for (int sequence = 0; sequence < offsets.count(); sequence++) {
                if (!ShortHeads.suits(shape(), offsets.length(sequence))) {
                    AttentionPacking.addHeads(
                            outputs(), inputs(), headAverages, offsets.start(sequence), offsets.end(sequence), shape());
                }
            }
        }
    }

    /** The backward pass of all heads and sequences. */
    static final class BackwardCall extends AttentionCall {

        private static final ThreadLocal<AttentionBackward> PASS = ThreadLocal.withInitial(AttentionBackward::new);

        private static final ThreadLocal<ShortHeads> SHORT = ThreadLocal.withInitial(ShortHeads::new);

        private final BackwardPartials partials = new BackwardPartials();

        void backward(
                Workers workers,
                AttentionInputs dInputs,
                AttentionOutputs dOutputs,
                AttentionOutputs outputs,
                AttentionInputs inputs,
                RaggedOffsets sequences,
                AttentionShape shape) {
            partials.reserve(sequences, shape);
            run(workers, dInputs, dOutputs, outputs, inputs, sequences, shape);
        }

        @Override
        protected int run(AttentionUnit unit) {
            if (ShortHeads.suits(shape(), unit.length())) {
                return SHORT.get().backward(this, partials, unit);
            }
            PASS.get().run(this, partials, unit);
            return 1;
        }

        @Override
        protected void finish(Workers workers) {
            partials.addInto(dInputs(), sequences(), shape());
        }
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
