package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionProducts.QUERIES;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.elementary.Species;

/**
 * Makes the weights of a strip of scores anew from what the forward pass saved, and the gradients of scores from those
 * of weights; as {@link AttentionWeights}, for the queries of a vector and the first {@code end} keys.
 */
final class WeightGradients {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    /** As in {@link AttentionWeights}. */
    final float[] sharpness = new float[QUERIES];

    /** -log2(e) times the saved logarithm of the sum; -infinity for queries that are not there. */
    final float[] shifts = new float[QUERIES];

    /**
     * What weights are multiplied by: for softmax about 1, for what {@link #shifts} lack in precision; for the others
     * one over the sum of weights, so that thresholded weights have the bits of hardmax where no others are left.
     */
    final float[] factors = new float[QUERIES];

    /** ln n_i, or 1. */
    final float[] lengthFactors = new float[QUERIES];

    /** sum_j w_ij dw_ij. */
    final float[] means = new float[QUERIES];

    /** sum_j w_ij, 1 but for errors. */
    final float[] totals = new float[QUERIES];

    final float[] maximum = new float[QUERIES];

    /** As in {@link AttentionWeights}. */
    final float[] cutoffs = new float[QUERIES];

    /**
     * Replaces scores by weights; those of thresholded softmax and hardmax are made as in
     * {@link AttentionWeights#weigh}. Longer than the 325 bytecodes that are inlined, as that, and to be kept so.
     */
    void weigh(Weighting weighting, float[] strip, int lane, int shared, int end) {
        FloatVector factor = FloatVector.fromArray(SPECIES, factors, lane);
        if (weighting == Weighting.SOFTMAX) {
            FloatVector scale = FloatVector.fromArray(SPECIES, sharpness, lane);
            FloatVector shift = FloatVector.fromArray(SPECIES, shifts, lane);
            for (int j = 0; j < end; j++) {
                int at = j * QUERIES + lane;
                PowerOfTwo.of(FloatVector.fromArray(SPECIES, strip, at).fma(scale, shift))
                        .mul(factor)
                        .intoArray(strip, at);
            }
        } else if (weighting == Weighting.THRESHOLDED) {
            FloatVector scale = FloatVector.fromArray(SPECIES, sharpness, lane).neg();
            FloatVector max = FloatVector.fromArray(SPECIES, maximum, lane);
            FloatVector cutoff = FloatVector.fromArray(SPECIES, cutoffs, lane);
            for (int j = 0; j < end; j++) {
                int at = j * QUERIES + lane;
                FloatVector gap = max.sub(FloatVector.fromArray(SPECIES, strip, at));
                PowerOfTwo.of(gap.mul(scale))
                        .mul(factor)
                        .blend(0, gap.compare(VectorOperators.GE, cutoff))
                        .intoArray(strip, at);
            }
        } else {
            FloatVector max = FloatVector.fromArray(SPECIES, maximum, lane);
            FloatVector zero = FloatVector.zero(SPECIES);
            FloatVector lanes = FloatVector.fromArray(SPECIES, AttentionProducts.LANE_NUMBERS, 0);
            for (int j = 0; j < end; j++) {
                int at = j * QUERIES + lane;
                FloatVector score = FloatVector.fromArray(SPECIES, strip, at);
                zero.blend(factor, score.compare(VectorOperators.EQ, max))
                        .blend(Float.NaN, score.test(VectorOperators.IS_NAN))
                        .blend(0, lanes.compare(VectorOperators.LE, (float) (j - shared)))
                        .intoArray(strip, at);
            }
        }
    }

    /** Adds each query's sums over w dw and w to its mean and its total, for {@code end} keys. */
    void addToMeans(float[] weights, float[] dWeights, int lane, int end) {
        FloatVector sum = FloatVector.zero(SPECIES);
        FloatVector total = sum;
        for (int j = 0; j < end; j++) {
            int at = j * QUERIES + lane;
            FloatVector weight = FloatVector.fromArray(SPECIES, weights, at);
            sum = weight.fma(FloatVector.fromArray(SPECIES, dWeights, at), sum);
            total = total.add(weight);
        }
        FloatVector.fromArray(SPECIES, means, lane).add(sum).intoArray(means, lane);
        FloatVector.fromArray(SPECIES, totals, lane).add(total).intoArray(totals, lane);
    }

    /** Replaces each dw of a strip by ln n w (dw - mean). */
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
