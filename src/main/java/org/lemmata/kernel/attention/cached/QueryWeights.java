package org.lemmata.kernel.attention.cached;

import static org.lemmata.kernel.attention.TileAttention.LANES;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.attention.PowerOfTwo;
import org.lemmata.kernel.attention.ScoreStrip;
import org.lemmata.kernel.elementary.RowExponentials;
import org.lemmata.kernel.elementary.Species;

/**
 * Computes the weights from the scores of one query, block by block, bit-identical to {@code AttentionWeights}. Here
 * each lane processes a position, not a query.
 */
final class QueryWeights {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    /** {@code AttentionWeights.sharpness} of the query. */
    private float sharpness;

    /** {@code AttentionWeights.cutoffs} of the query. */
    private float cutoff;

    private float maximum;
    private float reference;
    private float shift;

    /** The factor that rescales the sums of earlier blocks. */
    float factor;

    void start(AttentionShape shape, int length) {
        sharpness = ScoreStrip.sharpness(shape, shape.lengthFactor(length));
        cutoff = shape.cutoff(length);
        maximum = Float.NEGATIVE_INFINITY;
        reference = Float.NEGATIVE_INFINITY;
        factor = 1;
    }

    /** Updates the maximum score with {@code count} more positions, ignoring NaN scores. */
    void findMaximum(float[] scores, int from, int count) {
        float other = RowExponentials.maximum(scores, from, count);
        maximum = other > maximum ? other : maximum;
    }

    /** Replaces the scores of a block by weights. For thresholds, {@link #findMaximum} must have seen all blocks. */
    void weigh(Weighting weighting, float[] scores, int from, int count) {
        int end = from + count;
        switch (weighting) {
            case SOFTMAX -> {
                findMaximum(scores, from, count);
                moveReference();
                softmax(scores, from, end);
            }
            case THRESHOLDED -> {
                moveReference();
                thresholded(scores, from, end);
            }
            case HARDMAX -> {
                findMaximum(scores, from, count);
                factor = maximum == reference ? 1 : 0;
                reference = maximum;
                hardmax(scores, from, end);
            }
            case UNIFORM -> ones(scores, from, end);
        }
    }

    private void moveReference() {
        float next = maximum * sharpness;
        shift = next == Float.NEGATIVE_INFINITY ? 0 : -next;
        factor = reference == Float.NEGATIVE_INFINITY
                ? 0
                : PowerOfTwo.of(FloatVector.broadcast(SPECIES, reference + shift))
                        .lane(0);
        reference = next;
    }

    private void softmax(float[] scores, int from, int end) {
        FloatVector scale = FloatVector.broadcast(SPECIES, sharpness);
        FloatVector offset = FloatVector.broadcast(SPECIES, shift);
        for (int j = from; j < end; j += LANES) {
            PowerOfTwo.of(FloatVector.fromArray(SPECIES, scores, j).fma(scale, offset))
                    .intoArray(scores, j);
        }
    }

    private void thresholded(float[] scores, int from, int end) {
        FloatVector scale = FloatVector.broadcast(SPECIES, -sharpness);
        FloatVector max = FloatVector.broadcast(SPECIES, maximum);
        for (int j = from; j < end; j += LANES) {
            FloatVector gap = max.sub(FloatVector.fromArray(SPECIES, scores, j));
            PowerOfTwo.of(gap.mul(scale))
                    .blend(0, gap.compare(VectorOperators.GE, cutoff))
                    .intoArray(scores, j);
        }
    }

    private void hardmax(float[] scores, int from, int end) {
        FloatVector zero = FloatVector.zero(SPECIES);
        for (int j = from; j < end; j += LANES) {
            FloatVector score = FloatVector.fromArray(SPECIES, scores, j);
            zero.blend(1, score.compare(VectorOperators.EQ, maximum))
                    .blend(Float.NaN, score.test(VectorOperators.IS_NAN))
                    .intoArray(scores, j);
        }
    }

    private static void ones(float[] scores, int from, int end) {
        for (int j = from; j < end; j += LANES) {
            FloatVector.broadcast(SPECIES, 1).intoArray(scores, j);
        }
    }
}
