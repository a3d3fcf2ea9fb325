package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionProducts.QUERIES;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.elementary.VectorExp;

/**
 * Computes weights from rounded scores whose maxima are known, and gradients of scores from rounded weights and their
 * gradients. As in {@link AttentionWeights}, each method processes the queries of one vector and {@code count} keys.
 * The row of the first key begins at {@code at}.
 */
final class RoundedWeights {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    /** f_i of {@code Attention}, slightly above 0 if f_i is 0 (one score), so that masked scores stay -infinity. */
    final float[] lengthFactors = new float[QUERIES];

    final float[] cutoffs = new float[QUERIES];
    final float[] totals = new float[QUERIES];

    /** The factor f_i of the gradients of scores: 1, ln n_i or ln |x|. */
    private final float[] gradientFactors = new float[QUERIES];

    /** sum_j w_ij dw_ij. */
    private final float[] means = new float[QUERIES];

    /** Prepares for the queries of a block. Lanes beyond the last query repeat its numbers. */
    void start(AttentionUnit unit, int query, int queries) {
        AttentionShape shape = unit.shape();
        Arrays.fill(totals, 0);
        for (int i = 0; i < QUERIES; i++) {
            int counted = shape.counted(query + Math.min(i, queries - 1), unit.length);
            gradientFactors[i] = shape.lengthFactor(counted);
            lengthFactors[i] = Math.max(Float.MIN_NORMAL, gradientFactors[i]);
            cutoffs[i] = shape.cutoff(counted);
        }
    }

    void softmax(float[] strip, int at, int lane, int count, float[] maximum) {
        FloatVector max = FloatVector.fromArray(SPECIES, maximum, lane);
        FloatVector factor = FloatVector.fromArray(SPECIES, lengthFactors, lane);
        for (int j = 0; j < count; j++) {
            int to = at + j * QUERIES + lane;
            VectorExp.exp(FloatVector.fromArray(SPECIES, strip, to).sub(max).mul(factor))
                    .intoArray(strip, to);
        }
    }

    void thresholded(float[] strip, int at, int lane, int count, float[] maximum) {
        FloatVector max = FloatVector.fromArray(SPECIES, maximum, lane);
        FloatVector factor = FloatVector.fromArray(SPECIES, lengthFactors, lane);
        FloatVector cutoff = FloatVector.fromArray(SPECIES, cutoffs, lane).neg();
        for (int j = 0; j < count; j++) {
            int to = at + j * QUERIES + lane;
            FloatVector difference = FloatVector.fromArray(SPECIES, strip, to).sub(max);
            VectorExp.exp(difference.mul(factor))
                    .blend(0, difference.compare(VectorOperators.LE, cutoff))
                    .intoArray(strip, to);
        }
    }

    /** Computes hardmax weights. Keys from {@code shared} on are masked as in {@link AttentionProducts#mask}. */
    void hardmax(float[] strip, int at, int lane, int shared, int count, float[] maximum) {
        FloatVector max = FloatVector.fromArray(SPECIES, maximum, lane);
        FloatVector lanes = FloatVector.fromArray(SPECIES, AttentionProducts.LANE_NUMBERS, 0);
        FloatVector zero = FloatVector.zero(SPECIES);
        for (int j = 0; j < count; j++) {
            int to = at + j * QUERIES + lane;
            FloatVector score = FloatVector.fromArray(SPECIES, strip, to);
            zero.blend(1, score.compare(VectorOperators.EQ, max))
                    .blend(Float.NaN, score.test(VectorOperators.IS_NAN))
                    .blend(0, lanes.compare(VectorOperators.LE, (float) (j - shared)))
                    .intoArray(strip, to);
        }
    }

    void addToTotals(float[] strip, int lane, int count) {
        FloatVector total = FloatVector.fromArray(SPECIES, totals, lane);
        for (int j = 0; j < count; j++) {
            total = total.add(FloatVector.fromArray(SPECIES, strip, j * QUERIES + lane));
        }
        total.intoArray(totals, lane);
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
        FloatVector factor = FloatVector.fromArray(SPECIES, gradientFactors, lane);
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

    static void divide(float[] weights, int lane, int count, float[] totals) {
        FloatVector total = FloatVector.fromArray(SPECIES, totals, lane);
        for (int j = 0; j < count; j++) {
            int at = j * QUERIES + lane;
            FloatVector.fromArray(SPECIES, weights, at).div(total).intoArray(weights, at);
        }
    }
}
