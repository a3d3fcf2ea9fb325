package org.lemmata.kernel.elementary;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * The sum of all lanes, in every lane: lane l first adds lane l xor 1, then l xor 2, then l xor 4, and so on.
 *
 * <p>The order of additions in {@code reduceLanes(ADD)} is unspecified and changes when the method is compiled. Here
 * each lane adds the same pairs, so that the sum has the same bits in every lane and every run.
 */
public final class LaneSum {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private static final VectorShuffle<Float> SHUFFLE_1 = exchange(1);
    private static final VectorShuffle<Float> SHUFFLE_2 = exchange(2);
    private static final VectorShuffle<Float> SHUFFLE_4 = exchange(4);
    private static final VectorShuffle<Float> SHUFFLE_8 = exchange(8);

    private LaneSum() {}

    private static VectorShuffle<Float> exchange(int distance) {
        return VectorShuffle.fromOp(SPECIES, lane -> (lane ^ distance) % SPECIES.length());
    }

    public static FloatVector sum(FloatVector x) {
        FloatVector sum = x.add(x.rearrange(SHUFFLE_1));
        sum = sum.add(sum.rearrange(SHUFFLE_2));
        if (SPECIES.length() > 4) {
            sum = sum.add(sum.rearrange(SHUFFLE_4));
        }
        if (SPECIES.length() > 8) {
            sum = sum.add(sum.rearrange(SHUFFLE_8));
        }
        return sum;
    }

    /**
     * The sum of the vector that begins at {@code lanes[from]}, bit-identical to {@link #sum(FloatVector)}. Takes an
     * array, not a vector: in callers with many vector operations, the compiler stops inlining and would box a vector.
     */
    public static float sum(float[] lanes, int from) {
        FloatVector sum = FloatVector.fromArray(SPECIES, lanes, from);
        sum = sum.add(sum.rearrange(SHUFFLE_1));
        sum = sum.add(sum.rearrange(SHUFFLE_2));
        if (SPECIES.length() > 4) {
            sum = sum.add(sum.rearrange(SHUFFLE_4));
        }
        if (SPECIES.length() > 8) {
            sum = sum.add(sum.rearrange(SHUFFLE_8));
        }
        return sum.lane(0);
    }
}
