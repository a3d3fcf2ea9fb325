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

    private LastLanes() {}

    /** x in the last {@code count} lanes, +0 in the others. */
    public static FloatVector keep(FloatVector x, int count) {
        return x.reinterpretAsInts()
                .and(IntVector.fromArray(SPECIES, BITS, count))
                .reinterpretAsFloats();
    }
}
