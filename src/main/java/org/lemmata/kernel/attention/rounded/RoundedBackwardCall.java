package org.lemmata.kernel.attention.rounded;

import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.AttentionCall;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.AttentionUnit;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.quantization.VectorQuantization;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.number.Rounding;
import org.lemmata.random.RandomStream;

/** The rounded backward pass of all heads and sequences. */
final class RoundedBackwardCall extends AttentionCall {

    private static final ThreadLocal<RoundedBackwardPass> PASS = ThreadLocal.withInitial(RoundedBackwardPass::new);

    AttentionRounding rounding = AttentionRounding.none();
    RandomStream stream = RoundingStreams.NONE;

    void backward(
            Workers workers,
            AttentionRounding newRounding,
            RandomStream newStream,
            AttentionInputs dInputs,
            AttentionOutputs dOutputs,
            AttentionInputs inputs,
            RaggedOffsets sequences,
            AttentionShape shape) {
        rounding = newRounding;
        stream = newStream;
        run(workers, dInputs, dOutputs, AttentionOutputs.EMPTY, inputs, sequences, shape);
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
