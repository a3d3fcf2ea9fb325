package org.lemmata.model.part;

import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.model.AttentionOptions;

/** The gradients of activations; all layers use these arrays in turn. */
final class GradientSpace {

    final int rows;

    /** The gradient of the output of a part. The part replaces it by the gradient of its input. */
    final float[] dx;

    /** The gradient of u, the input of a part: norm(x) if norms come before the parts, else x. */
    final float[] du;

    /** The gradient of y, the term that the part adds to x. Without dropout, this is dx itself. */
    final float[] dy;

    /** The gradients of the attention kernel's inputs; its du is the array above, for identity terms. */
    final AttentionInputs inputs;

    /** The gradients of the outputs of the heads. Without an output projection, they are the gradient of y. */
    final AttentionOutputs outputs;

    GradientSpace(PartContext context, int rows) {
        int size = PartContext.size(rows, context.width());
        this.rows = rows;
        dx = new float[size];
        du = new float[size];
        dy = context.architecture().dropout() > 0 ? new float[size] : dx;
        AttentionOptions options = context.architecture().attention();
        AttentionInputs zeros = AttentionInputs.zeros(
                RaggedOffsets.ofLengths(rows), context.architecture().attentionShape());
        inputs = zeros.withIdentities(du, zeros.keyQueryIdentities(), zeros.valueOutputIdentities());
        outputs = new AttentionOutputs(
                options.outputProjection() ? PartContext.space(true, rows, options.width()) : dy,
                options.identities() ? dy : PartContext.NONE,
                PartContext.NONE,
                PartContext.NONE);
    }
}
