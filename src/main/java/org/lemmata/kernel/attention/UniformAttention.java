package org.lemmata.kernel.attention;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.kernel.elementary.Species;

/**
 * Attention with uniform weights: running sums of the rows of a sequence, for all heads at once.
 *
 * <p>Each object serves one thread and keeps its array, which grows to the widest row so far.
 */
final class UniformAttention {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private static final int LANES = SPECIES.length();

    private float[] sums = {};

    void forward(AttentionOutputs outputs, AttentionInputs inputs, RaggedOffsets sequences, AttentionShape shape) {
        for (int sequence = 0; sequence < sequences.count(); sequence++) {
            int first = sequences.start(sequence);
            int length = sequences.length(sequence);
            average(outputs.outputs(), inputs.values(), first, length, shape.width(), shape);
            average(outputs.identityOutputs(), inputs.tokens(), first, length, shape.identityWidth(), shape);
        }
        int end = sequences.total() * shape.identityWidth();
        for (int at = 0; at < end; at++) {
            float sum = 0;
            for (int head = 0; head < shape.heads(); head++) {
                sum += inputs.valueOutputIdentities()[head] * outputs.identityOutputs()[at];
            }
            outputs.identityOutputs()[at] = sum;
        }
    }

    /** dv_j = sum_i w_ij do_i. With identity terms, also adds to the gradients of tokens and b. */
    void backward(
            AttentionInputs dInputs,
            AttentionOutputs dOutputs,
            AttentionInputs inputs,
            RaggedOffsets sequences,
            AttentionShape shape) {
        float identities = 0;
        for (int head = 0; head < shape.heads() && shape.identityWidth() > 0; head++) {
            identities += inputs.valueOutputIdentities()[head];
        }
        float dIdentity = 0;
        for (int sequence = 0; sequence < sequences.count(); sequence++) {
            int first = sequences.start(sequence);
            int length = sequences.length(sequence);
            distribute(dInputs.values(), dOutputs.outputs(), first, length, shape.width(), shape);
            dIdentity += distributeTokens(dInputs.tokens(), dOutputs, inputs, first, length, identities, shape);
        }
        for (int head = 0; head < shape.heads() && shape.identityWidth() > 0; head++) {
            dInputs.valueOutputIdentities()[head] += dIdentity;
        }
    }

    /**
     * dv_j = sum of do_i / n_i over the rows i that see row j. Under a causal mask, the sum runs from the last row back
     * to j; otherwise it is the sum over all rows.
     */
    private void distribute(float[] dValues, float[] dOutputs, int first, int length, int width, AttentionShape shape) {
        clear(width);
        for (int i = length - 1; i >= 0; i--) {
            int at = (first + i) * width;
            addQuotients(sums, dOutputs, at, shape.seen(i, length), width);
            System.arraycopy(sums, 0, dValues, at, width);
        }
        for (int i = 0; i < length && shape.mask() == Mask.NONE; i++) {
            System.arraycopy(sums, 0, dValues, (first + i) * width, width);
        }
    }

    private void clear(int width) {
        sums = AttentionPacking.atLeast(sums, width);
        Arrays.fill(sums, 0, width, 0);
    }

    private static void addQuotients(float[] sums, float[] x, int at, int divisor, int width) {
        int d = 0;
        for (; d <= width - LANES; d += LANES) {
            FloatVector.fromArray(SPECIES, sums, d)
                    .add(FloatVector.fromArray(SPECIES, x, at + d).div(divisor))
                    .intoArray(sums, d);
        }
        for (; d < width; d++) {
            sums[d] += x[at + d] / divisor;
        }
    }

    /** Adds to the gradients of tokens; returns the sequence's part of every db_h = sum_ij w_ij &lt;dz_i, x_j&gt;. */
    private static float distributeTokens(
            float[] dTokens,
            AttentionOutputs dOutputs,
            AttentionInputs inputs,
            int first,
            int length,
            float identities,
            AttentionShape shape) {
        int width = shape.identityWidth();
        float total = 0;
        for (int column = first * width; column < (first + 1) * width; column++) {
            float sum = 0;
            for (int i = length - 1; i >= 0; i--) {
                sum += dOutputs.identityOutputs()[column + i * width] / shape.seen(i, length);
                if (shape.mask() == Mask.CAUSAL) {
                    dTokens[column + i * width] += identities * sum;
                    total = Math.fma(sum, inputs.tokens()[column + i * width], total);
                }
            }
            for (int i = 0; i < length && shape.mask() == Mask.NONE; i++) {
                dTokens[column + i * width] += identities * sum;
                total = Math.fma(sum, inputs.tokens()[column + i * width], total);
            }
        }
        return total;
    }

    /** average_i = the mean of the rows of values that row i sees. */
    private void average(float[] averages, float[] values, int first, int length, int width, AttentionShape shape) {
        clear(width);
        int count = 0;
        for (int i = 0; i < length; i++) {
            int seen = shape.seen(i, length);
            if (count == seen) {
                System.arraycopy(averages, first * width, averages, (first + i) * width, width);
                continue;
            }
            for (; count < seen; count++) {
                add(sums, values, (first + count) * width, width);
            }
            divide(averages, (first + i) * width, sums, count, width);
        }
    }

    private static void add(float[] sums, float[] x, int at, int width) {
        int d = 0;
        for (; d <= width - LANES; d += LANES) {
            FloatVector.fromArray(SPECIES, sums, d)
                    .add(FloatVector.fromArray(SPECIES, x, at + d))
                    .intoArray(sums, d);
        }
        for (; d < width; d++) {
            sums[d] += x[at + d];
        }
    }

    private static void divide(float[] quotients, int at, float[] x, int divisor, int width) {
        int d = 0;
        for (; d <= width - LANES; d += LANES) {
            FloatVector.fromArray(SPECIES, x, d).div(divisor).intoArray(quotients, at + d);
        }
        for (; d < width; d++) {
            quotients[at + d] = x[d] / divisor;
        }
    }
}
