package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionPacking.atLeast;

import org.jspecify.annotations.Nullable;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
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

    private static final RoundedAttention NONE = new RoundedAttention(
            new AttentionRounding(null, null, null, null, null), RoundingStreams.NONE, Workers.caller());

    final AttentionRounding rounding;
    final RandomStream stream;
    private final Workers workers;

    /** Adds rounded products, while {@link #plainSums} adds single numbers. Null if sums are not rounded. */
    final @Nullable RoundedMultiplyAdd sums;

    final @Nullable RoundedMultiplyAdd plainSums;

    /** Whether quotients are rounded to odd. */
    final boolean odd;

    private final ScalarRoundedAttention reference;

    /** Creates attention whose stochastic sites use {@code stream}. An object per stream costs almost nothing. */
    public RoundedAttention(AttentionRounding rounding, RandomStream stream, Workers workers) {
        this.rounding = rounding;
        this.stream = stream;
        this.workers = workers;
        sums = rounding.sums() == null ? null : new RoundedMultiplyAdd(rounding.sums(), rounding.sums());
        plainSums = rounding.sums() == null ? null : new RoundedMultiplyAdd(null, rounding.sums());
        odd = Quotient.isOdd(rounding.outputs());
        reference = new ScalarRoundedAttention(rounding, stream);
    }

    static final class RoundedForwardCall extends AttentionCall {

        private static final ThreadLocal<RoundedForwardPass> PASS = ThreadLocal.withInitial(RoundedForwardPass::new);

        /** For each row and head, its average of tokens, from which the identity outputs are computed. */
        float[] headAverages = {};

        RoundedAttention attention = NONE;

        @Override
        void begin() {
            headAverages = atLeast(headAverages, shape.headTokens(sequences.total()));
        }

        @Override
        int run(AttentionUnit unit) {
            PASS.get().run(this, unit);
            return 1;
        }

        @Override
        void finish() {
            addHeads();
            Rounding site = attention.rounding.outputs();
            int rows = sequences.total();
            int tokenWidth = shape.identityWidth();
            attention.round(site, outputs.outputs(), rows, shape.width(), RoundingStreams.OUTPUTS);
            attention.round(site, outputs.identityOutputs(), rows, tokenWidth, RoundingStreams.IDENTITY_OUTPUTS);
        }

        private void addHeads() {
            int width = shape.identityWidth();
            int heads = shape.heads();
            for (int row = 0; row < sequences.total() && width > 0; row++) {
                for (int d = 0; d < width; d++) {
                    float sum = 0;
                    for (int head = 0; head < heads; head++) {
                        float average = headAverages[(row * heads + head) * width + d];
                        sum = Math.fma(inputs.valueOutputIdentities()[head], average, sum);
                    }
                    outputs.identityOutputs()[row * width + d] = sum;
                }
            }
        }
    }

    static final class RoundedBackwardCall extends AttentionCall {

        private static final ThreadLocal<RoundedBackwardPass> PASS = ThreadLocal.withInitial(RoundedBackwardPass::new);

        RoundedAttention attention = NONE;

        @Override
        int run(AttentionUnit unit) {
            PASS.get().run(this, unit);
            return 1;
        }

        @Override
        void finish() {
            Rounding site = attention.rounding.gradients();
            int rows = sequences.total();
            int width = shape.width();
            attention.round(site, dInputs.queries(), rows, width, RoundingStreams.QUERY_GRADIENTS);
            attention.round(site, dInputs.keys(), rows, width, RoundingStreams.KEY_GRADIENTS);
            attention.round(site, dInputs.values(), rows, width, RoundingStreams.VALUE_GRADIENTS);
        }
    }

    private void round(@Nullable Rounding site, float[] matrix, int rows, int columns, int part) {
        if (site != null && columns > 0) {
            Matrix y = Matrix.of(matrix, rows, columns);
            new VectorQuantization(workers).round(y, y, site, stream.part(part));
        }
    }

    @Override
    public void forward(
            AttentionOutputs outputs, AttentionInputs inputs, RaggedOffsets sequences, AttentionShape shape) {
        if (!isOnLanes(shape)) {
            reference.forward(outputs, inputs, sequences, shape);
        } else {
            Attention.checkForward(outputs, inputs, sequences, shape);
            RoundedForwardCall call = FORWARD.get();
            call.attention = this;
            call.run(workers, AttentionInputs.EMPTY, AttentionOutputs.EMPTY, outputs, inputs, sequences, shape);
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
            RoundedBackwardCall call = BACKWARD.get();
            call.attention = this;
            call.run(workers, dInputs, dOutputs, AttentionOutputs.EMPTY, inputs, sequences, shape);
        } else {
            reference.backward(dInputs, dOutputs, outputs, inputs, sequences, shape);
        }
    }
}
