package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionProducts.QUERIES;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.elementary.Species;

/**
 * Makes weights of the scores of a strip, block of keys after block of keys, and keeps for each query of the block the
 * maximum score so far and the sum of the weights so far.
 *
 * <p>A softmax weight is 2^(sharpness (s - maximum score so far)): when a block brings a greater score, what was summed
 * before is rescaled by {@link #factors}. Source: Milakov and Gimelshein (2018), Online normalizer calculation for
 * softmax.
 *
 * <p>Each method does so for the queries of one vector, from {@code lane} on, and the first {@code end} keys. Keys that
 * a query does not see have a score of -infinity, and so weight 0.
 */
public class AttentionWeights {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    /** log2(e) ln n_i or log2(e), times the scale of the scores where the strip comes without it; above 0. */
    public final float[] sharpness = new float[QUERIES];

    /** The minimum distance to the maximum score that makes a weight of 0. */
    public final float[] cutoffs = new float[QUERIES];

    public final float[] maximum = new float[QUERIES];
    public final float[] totals = new float[QUERIES];

    /** What sums of earlier blocks are multiplied by. */
    public final float[] factors = new float[QUERIES];

    /** sharpness * maximum, or the maximum score itself for hardmax, of the blocks before. */
    public final float[] references = new float[QUERIES];

    /** -references, with 0 for infinity: a row that has seen nothing but -infinity yet must not make NaNs. */
    final float[] shifts = new float[QUERIES];

    /** What weights are multiplied by: 1 in a forward pass. */
    final float[] multipliers = new float[QUERIES];

    public AttentionWeights() {
        Arrays.fill(multipliers, 1);
    }

    public final void start() {
        Arrays.fill(maximum, Float.NEGATIVE_INFINITY);
        Arrays.fill(references, Float.NEGATIVE_INFINITY);
        Arrays.fill(totals, 0);
    }

    /** Takes the maximum score on to those of more keys; a NaN is passed over. */
    public final void findMaximum(float[] strip, int lane, int end) {
        findMaximum(strip, lane, end, false);
    }

    /** The same, and takes the reference on to the maximum score, and the total with it; not for hardmax. */
    public final void refer(float[] strip, int lane, int end) {
        findMaximum(strip, lane, end, true);
    }

    /**
     * Four chains, since one comparison waits for the other; compare and blend costs less than max.
     *
     * <p>Longer than the 325 bytecodes that are inlined, as {@link #weigh}, and to be kept so: in a pass as a whole the
     * compiler runs out of nodes, and boxes vectors.
     */
    private void findMaximum(float[] strip, int lane, int end, boolean refer) {
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
        if (refer) {
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
     * Replaces scores by weights. Thresholded ones are 0 where the maximum score, which must be that of all keys, is
     * {@link #cutoffs} or more above; ties weigh exactly 1. Those of hardmax are 1 where scores are the maximum so far,
     * else 0; NaN stays.
     *
     * @param shared keys from here on are compared as {@link AttentionProducts#mask} tells, since -infinity may be the
     *     maximum of hardmax
     */
    public final void weigh(Weighting weighting, float[] strip, int lane, int shared, int end) {
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
}
