package org.lemmata.kernel.attention.rounded;

import static org.lemmata.kernel.attention.TileAttention.LANES;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.attention.Quotient;
import org.lemmata.kernel.elementary.Species;

/** {@link Quotient} with SIMD: a row of sums divided by one total. */
final class LaneQuotient {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private static final VectorSpecies<Integer> INTS = VectorSpecies.of(int.class, SPECIES.vectorShape());

    /** If the magnitude of a sum is below this, the remainder of its division may not be a binary32 number. */
    private static final float SMALL = 0x1p-60f;

    private static final float GROWTH = 0x1p64f;

    private static final int ONE_BITS = Float.floatToRawIntBits(1);

    private LaneQuotient() {}

    static void nearest(float[] quotients, float[] sums, int from, int to, float total) {
        for (int at = from; at < to; at += LANES) {
            FloatVector.fromArray(SPECIES, sums, at).add(0f).div(total).intoArray(quotients, at);
        }
    }

    /**
     * Rounds to odd. The exact remainder {@code sum - quotient * total} shows whether the magnitude of the quotient is
     * too small or too large. An even quotient then moves one step in the right direction. If the sum or the total is
     * infinite or NaN, the remainder is NaN, and the quotient does not move.
     */
    static void odd(float[] quotients, float[] sums, int from, int to, float total) {
        FloatVector divisor = FloatVector.broadcast(SPECIES, total);
        FloatVector zero = FloatVector.zero(SPECIES);
        for (int at = from; at < to; at += LANES) {
            FloatVector sum = FloatVector.fromArray(SPECIES, sums, at).add(0f);
            FloatVector quotient = sum.div(divisor);
            FloatVector growth = zero.add(1f).blend(GROWTH, sum.abs().compare(VectorOperators.LT, SMALL));
            FloatVector sign =
                    sum.reinterpretAsInts().and(Integer.MIN_VALUE).or(ONE_BITS).reinterpretAsFloats();
            FloatVector remainder =
                    quotient.mul(growth).neg().fma(divisor, sum.mul(growth)).mul(sign);
            IntVector bits = quotient.reinterpretAsInts();
            VectorMask<Integer> even = bits.and(1).compare(VectorOperators.EQ, 0);
            IntVector step = IntVector.zero(INTS)
                    .blend(1, remainder.compare(VectorOperators.GT, 0f).cast(INTS))
                    .blend(-1, remainder.compare(VectorOperators.LT, 0f).cast(INTS));
            bits.add(step, even).reinterpretAsFloats().intoArray(quotients, at);
        }
    }
}
