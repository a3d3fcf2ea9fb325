package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionPacking.atLeast;

import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.thread.Workers;

/** The forward pass of all heads and sequences. */
final class ForwardCall extends AttentionCall {

    private static final ThreadLocal<AttentionForward> PASS = ThreadLocal.withInitial(AttentionForward::new);

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
    protected void run(int from, int to) {
        AttentionForward pass = PASS.get();
        for (int unit = from; unit < to; unit++) {
            pass.run(outputs(), headAverages, unit(unit));
        }
    }

    @Override
    protected void finish(Workers workers) {
        addHeads(outputs(), inputs(), headAverages, sequences().total(), shape());
    }

    /** z_i = sum_h b_h (average of head h), in ascending order of heads. */
    static void addHeads(
            AttentionOutputs outputs, AttentionInputs inputs, float[] headAverages, int rows, AttentionShape shape) {
        int width = shape.identityWidth();
        int heads = shape.heads();
        for (int row = 0; row < rows && width > 0; row++) {
            for (int d = 0; d < width; d++) {
                float sum = 0;
                for (int head = 0; head < heads; head++) {
                    sum += inputs.valueOutputIdentities()[head] * headAverages[(row * heads + head) * width + d];
                }
                outputs.identityOutputs()[row * width + d] = sum;
            }
        }
    }
}
