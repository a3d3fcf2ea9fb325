package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionProducts.QUERIES;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.elementary.Species;

/**
 * Computes the weights from the scores of a strip, one block of keys after the other. Keeps, for each query, the
 * maximum score and the sum of weights so far.
 *
 * <p>A softmax weight is 2^(sharpness (s - maximum score so far)): if a block contains a greater score, earlier sums
 * are rescaled by {@link #factors}. Source: Milakov and Gimelshein (2018), Online normalizer calculation for softmax.
 *
 * <p>Each method processes the queries of one vector, from {@code lane} on, and the first {@code end} keys. Masked keys
 * have a score of -infinity, and so weight 0.
 */
final class AttentionWeights {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    /** log2(e) times f_i of {@link Attention}, times |scale| if the strip does not include the scale; above 0. */
    final float[] sharpness = new float[QUERIES];

    /** The minimum distance to the maximum score for which a weight is 0. */
    final float[] cutoffs = new float[QUERIES];

    final float[] maximum = new float[QUERIES];
    final float[] totals = new float[QUERIES];

    /** Factors that rescale the sums of earlier blocks. */
    final float[] factors = new float[QUERIES];

    /** The reference of the blocks so far: sharpness * maximum, or the maximum score itself for hardmax. */
    final float[] references = new float[QUERIES];

    /** -references, with 0 in place of infinity, because a row that has only -infinity so far must not become NaN. */
    final float[] shifts = new float[QUERIES];

    /** Factors of the weights: 1 in a forward pass; {@link AttentionBackward} sets them. */
    final float[] multipliers = new float[QUERIES];

    /** The factor f_i of {@link Attention}, in a backward pass. */
    final float[] lengthFactors = new float[QUERIES];

    /** sum_j w_ij dw_ij, in a backward pass. */
    final float[] means = new float[QUERIES];

    AttentionWeights() {
        Arrays.fill(multipliers, 1);
    }

    void start() {
        Arrays.fill(maximum, Float.NEGATIVE_INFINITY);
        Arrays.fill(references, Float.NEGATIVE_INFINITY);
        Arrays.fill(totals, 0);
    }

    /** Updates the maximum score, ignoring NaN scores. */
    void findMaximum(float[] strip, int lane, int end) {
        findMaximum(strip, lane, end, false);
    }

    /** Updates the maximum score, makes it the reference, and rescales the total. Must not be called for hardmax. */
    void moveReference(float[] strip, int lane, int end) {
        findMaximum(strip, lane, end, true);
    }

    /**
     * Updates the maximum in four chains, because each comparison waits for the previous one. Comparing and blending is
     * faster than max.
     *
     * <p>Keep this method and {@link #weigh} longer than 325 bytecodes, the limit for inlining. If they are inlined
     * into a pass, the compiler runs out of nodes and boxes vectors.
     */
    private void findMaximum(float[] strip, int lane, int end, boolean movesReference) {
        FloatVector max = FloatVector.fromArray(SPECIES, maximum, lane);
        FloatVector max1 = max;
        FloatVector max2 = max;
        FloatVector max3 = max;
        int j = 0;
        for (; j < end - 3; j += 4) {
            int at = j * QUERIES + lane;
            FloatVector score = FloatVector.fromArray(SPECIES, strip, at);
            max = max.blend(score, score.compare(VectorOperators.GT, max));
            score = FloatVector.fromArray(SPECIES, strip, at + QUERIES);
            max1 = max1.blend(score, score.compare(VectorOperators.GT, max1));
            score = FloatVector.fromArray(SPECIES, strip, at + 2 * QUERIES);
            max2 = max2.blend(score, score.compare(VectorOperators.GT, max2));
            score = FloatVector.fromArray(SPECIES, strip, at + 3 * QUERIES);
            max3 = max3.blend(score, score.compare(VectorOperators.GT, max3));
        }
        for (; j < end; j++) {
            FloatVector score = FloatVector.fromArray(SPECIES, strip, j * QUERIES + lane);
            max = max.blend(score, score.compare(VectorOperators.GT, max));
        }
        max = max.blend(max1, max1.compare(VectorOperators.GT, max));
        max2 = max2.blend(max3, max3.compare(VectorOperators.GT, max2));
        max = max.blend(max2, max2.compare(VectorOperators.GT, max));
        max.intoArray(maximum, lane);
        if (movesReference) {
            FloatVector reference = max.mul(FloatVector.fromArray(SPECIES, sharpness, lane));
            FloatVector shift =
                    reference.neg().blend(0, reference.compare(VectorOperators.EQ, Float.NEGATIVE_INFINITY));
            FloatVector factor = PowerOfTwo.of(
                    FloatVector.fromArray(SPECIES, references, lane).add(shift));
            factor.intoArray(factors, lane);
            shift.intoArray(shifts, lane);
            reference.intoArray(references, lane);
            factor.mul(FloatVector.fromArray(SPECIES, totals, lane)).intoArray(totals, lane);
        }
    }

    /**
     * Replaces scores by weights, times {@link #multipliers}. A thresholded weight is 0 if its score is
     * {@link #cutoffs} or more below the maximum score, which must already include all keys; ties have weight 1
     * exactly. Hardmax weights are 1 for scores equal to the maximum so far, otherwise 0; NaN remains NaN.
     *
     * @param shared the number of keys that all queries of the vector see. In hardmax, later keys are masked as in
     *     {@link AttentionProducts#mask}, because a score of -infinity can be the maximum
     */
    void weigh(Weighting weighting, float[] strip, int lane, int shared, int end) {
        FloatVector total = FloatVector.fromArray(SPECIES, totals, lane);
        FloatVector multiplier = FloatVector.fromArray(SPECIES, multipliers, lane);
        if (weighting == Weighting.SOFTMAX) {
            FloatVector scale = FloatVector.fromArray(SPECIES, sharpness, lane);
            FloatVector shift = FloatVector.fromArray(SPECIES, shifts, lane);
            FloatVector sum = FloatVector.zero(SPECIES);
            for (int j = 0; j < end; j++) {
                int at = j * QUERIES + lane;
                FloatVector weight = PowerOfTwo.of(
                                FloatVector.fromArray(SPECIES, strip, at).fma(scale, shift))
                        .mul(multiplier);
                weight.intoArray(strip, at);
                sum = sum.add(weight);
            }
            total = sum.add(total);
        } else if (weighting == Weighting.THRESHOLDED) {
            FloatVector scale = FloatVector.fromArray(SPECIES, sharpness, lane).neg();
            FloatVector max = FloatVector.fromArray(SPECIES, maximum, lane);
            FloatVector cutoff = FloatVector.fromArray(SPECIES, cutoffs, lane);
            FloatVector sum = FloatVector.zero(SPECIES);
            for (int j = 0; j < end; j++) {
                int at = j * QUERIES + lane;
                FloatVector gap = max.sub(FloatVector.fromArray(SPECIES, strip, at));
                FloatVector weight =
                        PowerOfTwo.of(gap.mul(scale)).mul(multiplier).blend(0, gap.compare(VectorOperators.GE, cutoff));
                weight.intoArray(strip, at);
                sum = sum.add(weight);
            }
            total = sum.add(total);
        } else {
            FloatVector max = FloatVector.fromArray(SPECIES, maximum, lane);
            FloatVector zero = FloatVector.zero(SPECIES);
            FloatVector before = FloatVector.fromArray(SPECIES, references, lane);
            FloatVector factor = zero.blend(1, max.compare(VectorOperators.EQ, before));
            factor.intoArray(factors, lane);
            max.intoArray(references, lane);
            total = factor.mul(total);
            FloatVector lanes = FloatVector.fromArray(SPECIES, AttentionProducts.LANE_NUMBERS, 0);
            for (int j = 0; j < end; j++) {
                int at = j * QUERIES + lane;
                FloatVector score = FloatVector.fromArray(SPECIES, strip, at);
                FloatVector weight = zero.blend(multiplier, score.compare(VectorOperators.EQ, max))
                        .blend(Float.NaN, score.test(VectorOperators.IS_NAN))
                        .blend(0, lanes.compare(VectorOperators.LE, (float) (j - shared)));
                weight.intoArray(strip, at);
                total = total.add(weight);
            }
        }
        total.intoArray(totals, lane);
    }

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
