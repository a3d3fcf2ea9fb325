package org.lemmata.kernel.attention.rounded;

import static org.lemmata.kernel.attention.AttentionPacking.atLeast;

import org.jspecify.annotations.Nullable;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.AttentionCall;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.AttentionUnit;
import org.lemmata.kernel.attention.Quotient;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.quantization.RoundedMultiplyAdd;
import org.lemmata.kernel.quantization.VectorQuantization;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.number.Rounding;
import org.lemmata.random.RandomStream;

/** The rounded forward pass of all heads and sequences. */
final class RoundedForwardCall extends AttentionCall {

    private static final ThreadLocal<RoundedForwardPass> PASS = ThreadLocal.withInitial(RoundedForwardPass::new);

    private static final AttentionRounding NO_ROUNDING = AttentionRounding.none();

    /** The averages of tokens, row by row and head by head, of which the identity outputs are made. */
    float[] headAverages = {};

    AttentionRounding rounding = NO_ROUNDING;

    /** Of products, and of numbers as they are; null where sums are not rounded. */
    @Nullable
    RoundedMultiplyAdd sums;

    @Nullable
    RoundedMultiplyAdd plainSums;

    RandomStream stream = RoundingStreams.NONE;

    /** Whether the quotients are rounded to odd. */
    boolean odd;

    void forward(
            Workers workers,
            AttentionRounding newRounding,
            @Nullable RoundedMultiplyAdd newSums,
            @Nullable RoundedMultiplyAdd newPlainSums,
            RandomStream newStream,
            AttentionOutputs outputs,
            AttentionInputs inputs,
            RaggedOffsets sequences,
            AttentionShape shape) {
        headAverages = atLeast(headAverages, shape.headTokens(sequences.total()));
        rounding = newRounding;
        sums = newSums;
        plainSums = newPlainSums;
        stream = newStream;
        odd = Quotient.isOdd(rounding.outputs());
        run(workers, outputs, inputs, sequences, shape);
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

    /** z_i = sum_h b_h (average of head h), in ascending order of heads. */
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
