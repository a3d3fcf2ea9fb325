package org.lemmata.kernel.elementary;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/**
 * e^x for x &lt;= 0, lane by lane, with the bits of {@link VectorExp}, a seventh faster: nothing can overflow, so that
 * 2^n is a number that e^r can be multiplied with, and NaN stays NaN by itself. Results for x &gt; 0 are undefined.
 */
final class VectorDecay {

    // Constants and polynomial are those of VectorExp.
    private static final float MIN_NORMAL = -0x1.5d589ep6f;
    private static final float LOG2_E = 0x1.715476p0f;
    private static final float ROUNDER = 0x1.8p23f;
    private static final float LN2_HIGH = 0x1.62e4p-1f;
    private static final float LN2_LOW = 0x1.7f7d1cp-20f;
    private static final float C2 = 0x1.fffffcp-2f;
    private static final float C3 = 0x1.555492p-3f;
    private static final float C4 = 0x1.5558aap-5f;
    private static final float C5 = 0x1.12396ep-7f;
    private static final float C6 = 0x1.6a524ep-10f;

    private static final int FRACTION_BITS = Float.PRECISION - 1;
    private static final int ONE_BITS = Float.floatToRawIntBits(1);

    private VectorDecay() {}

    static FloatVector exp(FloatVector x) {
        FloatVector shifted = x.broadcast(LOG2_E).fma(x, x.broadcast(ROUNDER));
        FloatVector n = shifted.sub(ROUNDER);
        FloatVector r = n.fma(x.broadcast(-LN2_LOW), n.fma(x.broadcast(-LN2_HIGH), x));
        FloatVector q = r.fma(x.broadcast(C6), x.broadcast(C5));
        q = q.fma(r, x.broadcast(C4));
        q = q.fma(r, x.broadcast(C3));
        q = q.fma(r, x.broadcast(C2));
        FloatVector one = x.broadcast(1);
        FloatVector p = q.fma(r, one).fma(r, one);
        FloatVector power = shifted.reinterpretAsInts()
                .lanewise(VectorOperators.LSHL, FRACTION_BITS)
                .add(ONE_BITS)
                .reinterpretAsFloats();
        return p.mul(power).blend(0, x.lt(MIN_NORMAL));
    }
}
