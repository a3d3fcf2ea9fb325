package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.TileAttention.LANES;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.kernel.elementary.Species;

/** Uniform weights: running sums down the columns of a sequence, all heads at once. */
final class UniformAttention {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private UniformAttention() {}

    static void forward(
            AttentionOutputs outputs, AttentionInputs inputs, RaggedOffsets sequences, AttentionShape shape) {
        for (int sequence = 0; sequence < sequences.count(); sequence++) {
            int first = sequences.start(sequence);
            int length = sequences.length(sequence);
            average(outputs.outputs(), inputs.values(), first, length, shape.width(), shape.mask());
            average(outputs.identityOutputs(), inputs.tokens(), first, length, shape.identityWidth(), shape.mask());
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

    /** dv_j = sum_i w_ij do_i; the identity terms likewise, with dx_j += sum_h b_h sum_i w_ij dz_i. */
    static void backward(
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
            distribute(dInputs.values(), dOutputs.outputs(), first, length, shape.width(), shape.mask());
            dIdentity += distributeTokens(dInputs.tokens(), dOutputs, inputs, first, length, identities, shape);
        }
        for (int head = 0; head < shape.heads() && shape.identityWidth() > 0; head++) {
            dInputs.valueOutputIdentities()[head] += dIdentity;
        }
    }

    /**
     * dv_j = sum of do_i / n_i over the rows i that see row j: from the last row up, or over all. The last vector of a
     * row overlaps the one before.
     */
    private static void distribute(float[] dValues, float[] dOutputs, int first, int length, int width, Mask mask) {
        int start = first * width;
        int column = 0;
        for (; width >= LANES && column < width; column += LANES) {
            int at = start + Math.min(column, width - LANES);
            distributeColumns(dValues, dOutputs, at, length, width, mask == Mask.CAUSAL);
        }
        for (; column < width; column++) {
            float sum = 0;
            for (int i = length - 1; i >= 0; i--) {
                sum += dOutputs[start + column + i * width] / (mask == Mask.CAUSAL ? i + 1 : length);
                dValues[start + column + i * width] = sum;
            }
            for (int i = 0; i < length && mask == Mask.NONE; i++) {
                dValues[start + column + i * width] = sum;
            }
        }
    }

    private static void distributeColumns(
            float[] dValues, float[] dOutputs, int at, int length, int width, boolean causal) {
        FloatVector sum = FloatVector.zero(SPECIES);
        for (int i = length - 1; i >= 0; i--) {
            sum = sum.add(
                    FloatVector.fromArray(SPECIES, dOutputs, at + i * width).div(causal ? i + 1 : length));
            sum.intoArray(dValues, at + i * width);
        }
        for (int i = 0; i < length && !causal; i++) {
            sum.intoArray(dValues, at + i * width);
        }
    }

    /** Returns sum_ij w_ij &lt;dz_i, x_j&gt;. */
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

    /**
     * average_i = (sum of the rows of values that row i sees) / (how many they are), for rows {@code first} ...
     * {@code first + length - 1} of {@code width} columns. The last vector of a row overlaps the one before.
     */
    static void average(float[] averages, float[] values, int first, int length, int width, Mask mask) {
        int start = first * width;
        int column = 0;
        for (; width >= LANES && column < width; column += LANES) {
            int at = start + Math.min(column, width - LANES);
            if (mask == Mask.CAUSAL) {
                averageColumns(averages, values, at, length, width);
            } else {
                averageAllOfColumns(averages, values, at, length, width);
            }
        }
        for (; column < width; column++) {
            float sum = 0;
            int count = 0;
            for (int i = 0; i < length; i++) {
                for (int seen = mask == Mask.CAUSAL ? i + 1 : length; count < seen; count++) {
                    sum += values[start + column + count * width];
                }
                averages[start + column + i * width] = sum / count;
            }
        }
    }

    private static void averageColumns(float[] averages, float[] values, int at, int length, int width) {
        FloatVector sum = FloatVector.zero(SPECIES);
        for (int i = 0; i < length; i++) {
            sum = sum.add(FloatVector.fromArray(SPECIES, values, at + i * width));
            sum.div(i + 1).intoArray(averages, at + i * width);
        }
    }

    private static void averageAllOfColumns(float[] averages, float[] values, int at, int length, int width) {
        FloatVector sum = FloatVector.zero(SPECIES);
        for (int i = 0; i < length; i++) {
            sum = sum.add(FloatVector.fromArray(SPECIES, values, at + i * width));
        }
        FloatVector average = sum.div(length);
        for (int i = 0; i < length; i++) {
            average.intoArray(averages, at + i * width);
        }
    }
}
