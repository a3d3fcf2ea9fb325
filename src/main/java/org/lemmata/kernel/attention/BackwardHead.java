package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionPacking.atLeast;
import static org.lemmata.kernel.attention.AttentionPacking.packLeft;
import static org.lemmata.kernel.attention.AttentionPacking.paddedWidth;
import static org.lemmata.kernel.attention.AttentionPacking.roundUp;
import static org.lemmata.kernel.attention.AttentionProducts.QUERIES;
import static org.lemmata.kernel.attention.TileAttention.NARROW_ROWS;

import java.util.Arrays;

/**
 * The packed operands of the backward pass of one head, and the sums of its gradients. The columns of an operand are
 * those of the head, then the identity columns. {@link Attention} defines the symbols.
 */
class BackwardHead {

    /** Rows of [v, b x], in the layout of {@link AttentionPacking#packLeft}. */
    float[] values = {};

    /** Rows of [k, x]. */
    final AttentionPanels keyPanels = new AttentionPanels();

    /** Rows of [q, x] of a block. */
    final AttentionPanels queryPanels = new AttentionPanels();

    /** Rows of [do, dz] of a block. */
    final AttentionPanels dOutputPanels = new AttentionPanels();

    /** The transpose of the rows of [do, dz] of a block. */
    final AttentionPanels dOutputs = new AttentionPanels();

    float[] dQueries = {};
    float[] dKeys = {};
    float[] dValues = {};

    final void packHead(AttentionUnit unit) {
        AttentionShape shape = unit.shape();
        AttentionInputs inputs = unit.inputs();
        int length = unit.length;
        int width = shape.headWidth() + shape.identityWidth();
        int size = roundUp(length, NARROW_ROWS) * paddedWidth(width);
        values = atLeast(values, roundUp(length, QUERIES) * width);
        dQueries = atLeast(dQueries, QUERIES * paddedWidth(width));
        dKeys = atLeast(dKeys, size);
        dValues = atLeast(dValues, size);
        Arrays.fill(dKeys, 0, size, 0);
        Arrays.fill(dValues, 0, size, 0);
        float b = shape.identityWidth() > 0 ? inputs.valueOutputIdentities()[unit.head] : 0;
        packLeft(values, unit, inputs.values(), inputs.tokens(), length, b);
        keyPanels.pack(unit, inputs.keys(), inputs.tokens(), 0, length);
    }

    final void packBlock(AttentionOutputs dOut, AttentionUnit unit, int query, int queries) {
        AttentionShape shape = unit.shape();
        AttentionInputs inputs = unit.inputs();
        Arrays.fill(dQueries, 0, QUERIES * paddedWidth(shape.headWidth() + shape.identityWidth()), 0);
        queryPanels.pack(unit, inputs.queries(), inputs.tokens(), query, queries);
        dOutputPanels.pack(unit, dOut.outputs(), dOut.identityOutputs(), query, queries);
        dOutputs.packTransposed(unit, dOut.outputs(), dOut.identityOutputs(), query, queries);
    }
}
