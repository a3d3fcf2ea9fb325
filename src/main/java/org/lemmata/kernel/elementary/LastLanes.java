package org.lemmata.kernel.elementary;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Masks for sums over rows that end within a vector. The last vector overlaps the one before it, and a bitwise AND
 * clears the lanes that were already added. This needs no {@code VectorMask}, and turns even a NaN into 0.
 */
public final class LastLanes {

    static final VectorSpecies<Integer> SPECIES = VectorSpecies.of(int.class, Species.FLOAT.vectorShape());

    private static final int LANES = SPECIES.length();

    /** Bit masks. In the vector at offset r, the last r lanes have all bits set and the others none. */
    static final int[] BITS = new int[2 * LANES];

    static {
        Arrays.fill(BITS, LANES, 2 * LANES, -1);
    }

    /** Factors: LANES zeros, then LANES ones. */
    static final float[] ONES = new float[2 * LANES];

    static {
        Arrays.fill(ONES, LANES, 2 * LANES, 1);
    }

    private LastLanes() {}

    /** 1 in the last {@code count} lanes, +0 in the others: factors for elements that are known to be finite. */
    public static FloatVector weights(int count) {
        return FloatVector.fromArray(Species.FLOAT, ONES, count);
    }

    /**
     * Adds the last {@code count} lanes of the vector at {@code terms[from]} to the vector at {@code sums[at]}. Takes
     * arrays, not vectors, for the reason given at {@link LaneSum#sum(float[], int)}.
     */
    public static void add(float[] sums, int at, float[] terms, int from, int count) {
        FloatVector.fromArray(Species.FLOAT, terms, from)
                .reinterpretAsInts()
                .and(IntVector.fromArray(SPECIES, BITS, count))
                .reinterpretAsFloats()
                .add(FloatVector.fromArray(Species.FLOAT, sums, at))
                .intoArray(sums, at);
    }

    /** x in the last {@code count} lanes, +0 in the others. */
    public static FloatVector keep(FloatVector x, int count) {
        return x.reinterpretAsInts()
                .and(IntVector.fromArray(SPECIES, BITS, count))
                .reinterpretAsFloats();
    }
}
