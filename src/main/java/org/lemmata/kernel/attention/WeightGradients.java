package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionProducts.QUERIES;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;

/**
 * Recomputes the weights of a strip of scores from the saved values, and computes the gradients of scores from the
 * gradients of weights. Methods process the queries of one vector and the first {@code end} keys.
 *
 * <p>For softmax, the shifts are -log2(e) times the saved logarithm of the sum (-infinity in lanes without a query).
 * The multipliers are close to 1 and correct the rounding error of the shifts. For the other weightings the multipliers
 * are 1 / (sum of weights), so that thresholded weights are bit-identical to hardmax weights if only ties are left.
 */
final class WeightGradients extends AttentionWeights {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    /** The factor f_i of {@link Attention}: 1, ln n_i or ln |x|. */
    final float[] lengthFactors = new float[QUERIES];

    /** sum_j w_ij dw_ij. */
    final float[] means = new float[QUERIES];

    void addToMeans(float[] weights, float[] dWeights, int lane, int end) {
        FloatVector sum = FloatVector.zero(SPECIES);
        for (int j = 0; j < end; j++) {
            int at = j * QUERIES + lane;
            sum = FloatVector.fromArray(SPECIES, weights, at).fma(FloatVector.fromArray(SPECIES, dWeights, at), sum);
        }
        FloatVector.fromArray(SPECIES, means, lane).add(sum).intoArray(means, lane);
    }

    /** Replaces each dw of a strip by f w (dw - mean), where f is the length factor of the query. */
    void scoreGradients(float[] dWeights, float[] weights, int lane, int end) {
        FloatVector mean = FloatVector.fromArray(SPECIES, means, lane);
        FloatVector factor = FloatVector.fromArray(SPECIES, lengthFactors, lane);
        for (int j = 0; j < end; j++) {
            int at = j * QUERIES + lane;
            FloatVector.fromArray(SPECIES, dWeights, at)
                    .sub(mean)
                    .mul(FloatVector.fromArray(SPECIES, weights, at).mul(factor))
                    .intoArray(dWeights, at);
        }
    }
}
