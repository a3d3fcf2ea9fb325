package org.lemmata.kernel.attention.rounded;

import static org.lemmata.kernel.attention.AttentionPacking.atLeast;

import org.jspecify.annotations.Nullable;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.Attention;
import org.lemmata.kernel.attention.AttentionCall;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.attention.AttentionUnit;
import org.lemmata.kernel.attention.Quotient;
import org.lemmata.kernel.attention.VectorAttention;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.quantization.RoundedMultiplyAdd;
import org.lemmata.kernel.quantization.VectorQuantization;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.number.Rounding;
import org.lemmata.random.RandomStream;

/**
 * Attention with each site of an {@link AttentionRounding} rounded to its own number format, on the Vector API. It is
 * bit-identical to {@link ScalarRoundedAttention}, for every number of threads and lanes.
 *
 * <p>The scores of a block of queries with all keys stay in memory, because the maximum of the rounded scores is needed
 * before the first weight. Otherwise, blocks are processed as in {@link VectorAttention}. The scalar reference runs
 * instead, on the calling thread, if weights are uniform, or if {@code sums} is stochastic or combined with identity
 * terms. It also runs for backward passes with rounded sums, identity terms or a score bias.
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

    /** Creates attention whose stochastic sites use {@code stream}. An object per stream costs almost nothing. */
    public RoundedAttention(AttentionRounding rounding, RandomStream stream, Workers workers) {
        this.rounding = rounding;
        this.stream = stream;
        this.workers = workers;
        sums = rounding.sums() == null ? null : new RoundedMultiplyAdd(rounding.sums(), rounding.sums());
        plainSums = rounding.sums() == null ? null : new RoundedMultiplyAdd(null, rounding.sums());
        reference = new ScalarRoundedAttention(rounding, stream);
    }

    static final class RoundedForwardCall extends AttentionCall {

        private static final ThreadLocal<RoundedForwardPass> PASS = ThreadLocal.withInitial(RoundedForwardPass::new);

        private static final AttentionRounding NO_ROUNDING = AttentionRounding.none();

        /** For each row and head, its average of tokens, from which the identity outputs are computed. */
        float[] headAverages = {};

        AttentionRounding rounding = NO_ROUNDING;

        /** Adds rounded products, while {@code plainSums} adds single numbers. Null if sums are not rounded. */
        @Nullable
        RoundedMultiplyAdd sums;

        @Nullable
        RoundedMultiplyAdd plainSums;

        RandomStream stream = RoundingStreams.NONE;

        /** Whether quotients are rounded to odd. */
        boolean odd;

        void forward(
                RoundedAttention attention,
                AttentionOutputs outputs,
                AttentionInputs inputs,
                RaggedOffsets sequences,
                AttentionShape shape) {
            headAverages = atLeast(headAverages, shape.headTokens(sequences.total()));
            rounding = attention.rounding;
            sums = attention.sums;
            plainSums = attention.plainSums;
            stream = attention.stream;
            odd = Quotient.isOdd(rounding.outputs());
            run(attention.workers, outputs, inputs, sequences, shape);
        }

        @Override
        protected int run(AttentionUnit unit) {
            PASS.get().run(this, unit);
            return 1;
        }

        @Override
        protected void finish(Workers workers) {
            addHeads();
            round(workers, outputs().outputs(), shape().width(), RoundingStreams.OUTPUTS);
            round(workers, outputs().identityOutputs(), shape().identityWidth(), RoundingStreams.IDENTITY_OUTPUTS);
        }

        private void addHeads() {
            int width = shape().identityWidth();
            int heads = shape().heads();
            for (int row = 0; row < sequences().total() && width > 0; row++) {
                for (int d = 0; d < width; d++) {
                    float sum = 0;
                    for (int head = 0; head < heads; head++) {
                        float average = headAverages[(row * heads + head) * width + d];
                        sum = Math.fma(inputs().valueOutputIdentities()[head], average, sum);
                    }
                    outputs().identityOutputs()[row * width + d] = sum;
                }
            }
        }

        private void round(Workers workers, float[] matrix, int columns, int part) {
            Rounding site = rounding.outputs();
            if (site != null && columns > 0) {
                Matrix y = Matrix.of(matrix, sequences().total(), columns);
                new VectorQuantization(workers).round(y, y, site, stream.part(part));
            }
        }
    }

    static final class RoundedBackwardCall extends AttentionCall {

        private static final ThreadLocal<RoundedBackwardPass> PASS = ThreadLocal.withInitial(RoundedBackwardPass::new);

        AttentionRounding rounding = AttentionRounding.none();
        RandomStream stream = RoundingStreams.NONE;

        void backward(
                RoundedAttention attention,
                AttentionInputs dInputs,
                AttentionOutputs dOutputs,
                AttentionInputs inputs,
                RaggedOffsets sequences,
                AttentionShape shape) {
            rounding = attention.rounding;
            stream = attention.stream;
            run(attention.workers, dInputs, dOutputs, AttentionOutputs.EMPTY, inputs, sequences, shape);
        }

        @Override
        protected int run(AttentionUnit unit) {
            PASS.get().run(this, unit);
            return 1;
        }

        @Override
        protected void finish(Workers workers) {
            round(workers, dInputs().queries(), RoundingStreams.QUERY_GRADIENTS);
            round(workers, dInputs().keys(), RoundingStreams.KEY_GRADIENTS);
            round(workers, dInputs().values(), RoundingStreams.VALUE_GRADIENTS);
        }

        private void round(Workers workers, float[] gradient, int part) {
            Rounding site = rounding.gradients();
            if (site != null) {
                Matrix y = Matrix.of(gradient, sequences().total(), shape().width());
                new VectorQuantization(workers).round(y, y, site, stream.part(part));
            }
        }
    }

    @Override
    public void forward(
            AttentionOutputs outputs, AttentionInputs inputs, RaggedOffsets sequences, AttentionShape shape) {
        if (!isOnLanes(shape)) {
            reference.forward(outputs, inputs, sequences, shape);
        } else {
            Attention.checkForward(outputs, inputs, sequences, shape);
            FORWARD.get().forward(this, outputs, inputs, sequences, shape);
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
            BACKWARD.get().backward(this, dInputs, dOutputs, inputs, sequences, shape);
        } else {
            reference.backward(dInputs, dOutputs, outputs, inputs, sequences, shape);
        }
    }
}
