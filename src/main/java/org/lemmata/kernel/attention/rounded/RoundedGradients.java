package org.lemmata.kernel.attention.rounded;

import static org.lemmata.kernel.attention.AttentionProducts.QUERIES;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.AttentionUnit;
import org.lemmata.kernel.elementary.Species;

/**
 * Gradients of scores from rounded weights and their rounded gradients; as {@link RoundedWeights}, of all keys at once.
 */
final class RoundedGradients {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    /** ln n_i, or 1. */
    private final float[] lengthFactors = new float[QUERIES];

    /** sum_j w_ij dw_ij. */
    private final float[] means = new float[QUERIES];

    void start(AttentionUnit unit, int query, int queries) {
        AttentionShape shape = unit.shape();
        Arrays.fill(means, 0);
        for (int i = 0; i < QUERIES; i++) {
            lengthFactors[i] = shape.lengthFactor(shape.counted(query + Math.min(i, queries - 1), unit.length()));
        }
    }

    void findMeans(float[] weights, float[] dWeights, int lane, int count) {
        FloatVector mean = FloatVector.zero(SPECIES);
        for (int j = 0; j < count; j++) {
            int at = j * QUERIES + lane;
            mean = FloatVector.fromArray(SPECIES, weights, at).fma(FloatVector.fromArray(SPECIES, dWeights, at), mean);
        }
        mean.intoArray(means, lane);
    }

    /** Replaces dw by f (w (dw - mean)). */
    void scoreGradients(float[] weights, float[] dWeights, int lane, int count) {
        FloatVector factor = FloatVector.fromArray(SPECIES, lengthFactors, lane);
        FloatVector mean = FloatVector.fromArray(SPECIES, means, lane);
        for (int j = 0; j < count; j++) {
            int at = j * QUERIES + lane;
            FloatVector.fromArray(SPECIES, dWeights, at)
                    .sub(mean)
                    .mul(FloatVector.fromArray(SPECIES, weights, at))
                    .mul(factor)
                    .intoArray(dWeights, at);
        }
    }

    /** Replaces weights by their quotients by {@code totals}. */
    static void divide(float[] weights, int lane, int count, float[] totals) {
        FloatVector total = FloatVector.fromArray(SPECIES, totals, lane);
        for (int j = 0; j < count; j++) {
            int at = j * QUERIES + lane;
            FloatVector.fromArray(SPECIES, weights, at).div(total).intoArray(weights, at);
        }
    }
}
