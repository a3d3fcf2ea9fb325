package org.lemmata.kernel.loss;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Extents;
import org.lemmata.kernel.elementary.LaneSum;
import org.lemmata.kernel.elementary.Species;

/**
 * On SIMD lanes: differences and squares in binary32, summed lane by lane over blocks of {@value #BLOCK} elements and
 * then over the lanes as {@link LaneSum} does; blocks, and what is left after the last whole vector, in ascending order
 * in binary64. On the calling thread alone: a loss is read once, as fast as memory delivers it.
 */
public final class VectorSquaredError implements SquaredError {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private static final int LANES = SPECIES.length();

    private static final int BLOCK = 1024;

    @Override
    public double forward(float[] y, int yOffset, float[] targets, int targetsOffset, double factor, int count) {
        SquaredError.check(y, yOffset, targets, targetsOffset, count);
        int whole = SPECIES.loopBound(count);
        double sum = 0;
        for (int i = 0; i < whole; i += BLOCK) {
            sum += sumOfSquares(y, yOffset + i, targets, targetsOffset + i, Math.min(BLOCK, whole - i));
        }
        for (int i = whole; i < count; i++) {
            float difference = y[yOffset + i] - targets[targetsOffset + i];
            sum += difference * difference;
        }
        return factor * sum;
    }

    private static float sumOfSquares(float[] y, int yFrom, float[] targets, int from, int count) {
        FloatVector sum = FloatVector.zero(SPECIES);
        for (int i = 0; i < count; i += LANES) {
            FloatVector difference = FloatVector.fromArray(SPECIES, y, yFrom + i)
                    .sub(FloatVector.fromArray(SPECIES, targets, from + i));
            sum = difference.fma(difference, sum);
        }
        return LaneSum.sum(sum).lane(0);
    }

    @Override
    public double backward(
            float[] dy,
            int dyOffset,
            float[] y,
            int yOffset,
            float[] targets,
            int targetsOffset,
            double factor,
            int count) {
        Extents.checkVector("dy", dy, dyOffset, count);
        double loss = forward(y, yOffset, targets, targetsOffset, factor, count);
        float slope = (float) (2 * factor);
        int whole = SPECIES.loopBound(count);
        for (int i = 0; i < whole; i += LANES) {
            FloatVector.fromArray(SPECIES, y, yOffset + i)
                    .sub(FloatVector.fromArray(SPECIES, targets, targetsOffset + i))
                    .mul(slope)
                    .intoArray(dy, dyOffset + i);
        }
        for (int i = whole; i < count; i++) {
            dy[dyOffset + i] = slope * (y[yOffset + i] - targets[targetsOffset + i]);
        }
        return loss;
    }
}
