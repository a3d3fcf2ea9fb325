package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionPacking.atLeast;

import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.thread.Workers;

/**
 * Attention on the Vector API, a block of queries with a block of keys at a time.
 *
 * <p>Each lane processes one query of the block, so that softmax needs no sum across lanes; see
 * {@link AttentionForward} and {@link AttentionBackward}. Sequences of few tokens with many heads are processed with
 * one head per lane instead if {@link ShortHeads#suits}. These have sums across lanes, so their bits depend on the
 * number of lanes. Memory is linear in the length. Each thread keeps scratch arrays, which grow to the largest head so
 * far. A call allocates nothing once they are large enough. One instance serves any number of threads.
 *
 * <p>In blocks, the shape fixes the order of every sum. Inner products and weighted sums run in ascending order with
 * fused multiply-adds; the sum of weights runs over blocks of {@link AttentionProducts#QUERIES} keys. So the bits do
 * not depend on the number of threads, the number of lanes, or the rest of the batch. The outputs of uniform attention
 * are bit-identical to those of {@link ScalarAttention}. Exponentials below 2^-126 are 0. Scores are multiplied by
 * log2(e), so they overflow at a correspondingly smaller magnitude.
 *
 * <p>With identity terms, the scratch arrays contain total * heads * identityWidth numbers. With a score bias, the
 * backward pass needs (number of sequences) * heads * biasSpan numbers. If a product reaches 2^31, an
 * IllegalArgumentException is thrown. Uniform attention, which reads each number once, and the sums over heads are
 * computed only on the calling thread.
 */
public final class VectorAttention implements Attention {

    private static final ThreadLocal<ForwardCall> FORWARD = ThreadLocal.withInitial(ForwardCall::new);
    private static final ThreadLocal<BackwardCall> BACKWARD = ThreadLocal.withInitial(BackwardCall::new);

    private static final ThreadLocal<UniformAttention> UNIFORM = ThreadLocal.withInitial(UniformAttention::new);

    private final Workers workers;

    public VectorAttention(Workers workers) {
        this.workers = workers;
    }

    static final class ForwardCall extends AttentionCall {

        private static final ThreadLocal<AttentionForward> PASS = ThreadLocal.withInitial(AttentionForward::new);

        private static final ThreadLocal<ShortHeads> SHORT = ThreadLocal.withInitial(ShortHeads::new);

        /** For each row and head, its average of tokens, from which the identity outputs are computed. */
        private float[] headAverages = {};

        @Override
        void begin() {
            headAverages = atLeast(headAverages, shape.headTokens(sequences.total()));
        }

        @Override
        int run(AttentionUnit unit) {
            if (ShortHeads.suits(shape, unit.length)) {
                return SHORT.get().forward(outputs, unit);
            }
            PASS.get().run(outputs, headAverages, unit);
            return 1;
        }

        @Override
        void finish() {
            RaggedOffsets offsets = sequences;
            for (int sequence = 0; sequence < offsets.count(); sequence++) {
                if (!ShortHeads.suits(shape, offsets.length(sequence))) {
                    AttentionPacking.addHeads(
                            outputs, inputs, headAverages, offsets.start(sequence), offsets.end(sequence), shape);
                }
            }
        }
    }

    static final class BackwardCall extends AttentionCall {

        private static final ThreadLocal<AttentionBackward> PASS = ThreadLocal.withInitial(AttentionBackward::new);

        private static final ThreadLocal<ShortHeads> SHORT = ThreadLocal.withInitial(ShortHeads::new);

        private final BackwardPartials partials = new BackwardPartials();

        @Override
        void begin() {
            partials.reserve(sequences, shape);
        }

        @Override
        int run(AttentionUnit unit) {
            if (ShortHeads.suits(shape, unit.length)) {
                return SHORT.get().backward(this, partials, unit);
            }
            PASS.get().run(this, partials, unit);
            return 1;
        }

        @Override
        void finish() {
            partials.addInto(dInputs, sequences, shape);
        }
    }

    @Override
    public void forward(
            AttentionOutputs outputs, AttentionInputs inputs, RaggedOffsets sequences, AttentionShape shape) {
        Attention.checkForward(outputs, inputs, sequences, shape);
        if (shape.weighting() == Weighting.UNIFORM) {
            UNIFORM.get().forward(outputs, inputs, sequences, shape);
        } else {
            ForwardCall call = FORWARD.get();
            call.run(workers, AttentionInputs.EMPTY, AttentionOutputs.EMPTY, outputs, inputs, sequences, shape);
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
            BACKWARD.get().run(workers, dInputs, dOutputs, outputs, inputs, sequences, shape);
        }
    }
}
