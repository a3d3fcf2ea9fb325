package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionPacking.atLeast;
import static org.lemmata.kernel.attention.AttentionPacking.paddedWidth;
import static org.lemmata.kernel.attention.AttentionPacking.size;

import java.util.Arrays;
import org.lemmata.index.RaggedOffsets;

/**
 * The parts of gradients to which several units contribute. Gradients of tokens have one part per head; gradients of a,
 * b and phi have one part per sequence. Each chunk writes its own parts; {@link #addInto} sums them in ascending order
 * of heads or sequences.
 */
final class BackwardPartials {

    /** For each row and head, a row of gradients of tokens. */
    private float[] dTokens = {};

    /** For each sequence and head, a gradient of a. */
    private float[] dKeyQueryIdentities = {};

    private float[] dValueOutputIdentities = {};
    private float[] dScoreBiases = {};

    void reserve(RaggedOffsets sequences, AttentionShape shape) {
        int biases = size("sequences * heads * biasSpan", sequences.count(), shape.heads(), shape.biasSpan());
        dScoreBiases = atLeast(dScoreBiases, biases);
        // Sequences without rows write nothing.
        Arrays.fill(dScoreBiases, 0, biases, 0);
        if (shape.identityWidth() > 0) {
            int heads = size("sequences * heads", sequences.count(), shape.heads(), 1);
            dTokens = atLeast(dTokens, shape.headTokens(sequences.total()));
            dKeyQueryIdentities = atLeast(dKeyQueryIdentities, heads);
            dValueOutputIdentities = atLeast(dValueOutputIdentities, heads);
            Arrays.fill(dKeyQueryIdentities, 0, heads, 0);
            Arrays.fill(dValueOutputIdentities, 0, heads, 0);
        }
    }

    /**
     * dx_i = scale a sum_j ds_ij x_j and da += scale sum_ij ds_ij &lt;x_i, x_j&gt;, for {@code rows} rows i from
     * {@code query} on.
     */
    void addQueries(float[] dQueries, AttentionUnit unit, int query, int rows) {
        AttentionShape shape = unit.shape();
        float[] tokens = unit.inputs().tokens();
        int width = shape.identityWidth();
        if (width == 0) {
            return;
        }
        int stride = paddedWidth(shape.headWidth() + width);
        float scale = shape.scoreScale();
        float factor = scale * unit.inputs().keyQueryIdentities()[unit.head];
        double sum = 0;
        for (int r = 0; r < rows; r++) {
            int at = r * stride + shape.headWidth();
            int to = unit.numberAt(query + r) * width;
            int token = unit.tokenAt(query + r);
            for (int d = 0; d < width; d++) {
                dTokens[to + d] = factor * dQueries[at + d];
                sum += (double) dQueries[at + d] * tokens[token + d];
            }
        }
        dKeyQueryIdentities[unit.sequence * shape.heads() + unit.head] += (float) (scale * sum);
    }

    /** dx_j += scale a sum_i ds_ij x_i + b sum_i w_ij dz_i and db = sum_ij w_ij &lt;dz_i, x_j&gt;, for all rows j. */
    void addKeys(float[] dKeys, float[] dValues, AttentionUnit unit) {
        AttentionShape shape = unit.shape();
        float[] tokens = unit.inputs().tokens();
        int width = shape.identityWidth();
        if (width == 0) {
            return;
        }
        int stride = paddedWidth(shape.headWidth() + width);
        float factor = shape.scoreScale() * unit.inputs().keyQueryIdentities()[unit.head];
        float identity = unit.inputs().valueOutputIdentities()[unit.head];
        double sum = 0;
        for (int r = 0; r < unit.length; r++) {
            int at = r * stride + shape.headWidth();
            int to = unit.numberAt(r) * width;
            int token = unit.tokenAt(r);
            for (int d = 0; d < width; d++) {
                dTokens[to + d] += factor * dKeys[at + d] + identity * dValues[at + d];
                sum += (double) dValues[at + d] * tokens[token + d];
            }
        }
        dValueOutputIdentities[unit.sequence * shape.heads() + unit.head] = (float) sum;
    }

    void setBias(ScoreBias dBias, AttentionUnit unit) {
        AttentionShape shape = unit.shape();
        dBias.copyInto(dScoreBiases, (unit.sequence * shape.heads() + unit.head) * shape.biasSpan());
    }

    /** Sets the gradients of a and b for the head {@code head} places after the unit's head. */
    void setIdentities(AttentionUnit unit, int head, float dKeyQueryIdentity, float dValueOutputIdentity) {
        int at = unit.sequence * unit.shape().heads() + unit.head + head;
        dKeyQueryIdentities[at] = dKeyQueryIdentity;
        dValueOutputIdentities[at] = dValueOutputIdentity;
    }

    /** Adds all parts to {@code dInputs}, except for tokens that {@link ShortHeads} has already added. */
    void addInto(AttentionInputs dInputs, RaggedOffsets sequences, AttentionShape shape) {
        int heads = shape.heads();
        int width = shape.identityWidth();
        int count = sequences.count();
        for (int sequence = 0; sequence < count && width > 0; sequence++) {
            boolean added = ShortHeads.suits(shape, sequences.length(sequence));
            for (int row = sequences.start(sequence); row < sequences.end(sequence) && !added; row++) {
                addParts(dInputs.tokens(), row * width, dTokens, row * heads * width, heads, width);
            }
        }
        if (width > 0) {
            addParts(dInputs.keyQueryIdentities(), 0, dKeyQueryIdentities, 0, count, heads);
            addParts(dInputs.valueOutputIdentities(), 0, dValueOutputIdentities, 0, count, heads);
        }
        addParts(dInputs.scoreBiases(), 0, dScoreBiases, 0, count, heads * shape.biasSpan());
    }

    private static void addParts(float[] sums, int to, float[] parts, int from, int count, int length) {
        for (int d = 0; d < length; d++) {
            float sum = 0;
            for (int part = 0; part < count; part++) {
                sum += parts[from + part * length + d];
            }
            sums[to + d] += sum;
        }
    }
}
