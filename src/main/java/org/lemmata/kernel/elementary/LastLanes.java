package org.lemmata.kernel.elementary;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * For sums over rows that end within a vector: the last vector overlaps the one before it, and what was added already
 * is cleared by a bitwise and, which makes even a NaN 0, and which no mask has to be made for.
 */
public final class LastLanes {

    static final VectorSpecies<Integer> SPECIES = VectorSpecies.of(int.class, Species.FLOAT.vectorShape());

    private static final int LANES = SPECIES.length();

    /** LANES elements from r on: none of the bits, and all of them in the last r. */
    static final int[] BITS = new int[2 * LANES];

    static {
        Arrays.fill(BITS, LANES, 2 * LANES, -1);
    }

    /** The same as numbers: zeros, then ones. */
    static final float[] ONES = new float[2 * LANES];

    static {
        Arrays.fill(ONES, LANES, 2 * LANES, 1);
    }

    private LastLanes() {}

    /** 1 in the last {@code count} lanes, +0 in the others: a factor for elements that are known to be finite. */
    public static FloatVector weights(int count) {
        return FloatVector.fromArray(Species.FLOAT, ONES, count);
    }

    /**
     * Adds the last {@code count} lanes of the vector of {@code terms} at {@code from} to those of {@code sums} at
     * {@code at}. For callers that may be compiled along with more vector operations than the compiler inlines methods
     * after: no vector goes in or out.
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
