package org.lemmata.kernel.elementary;

/**
 * sin x in binary32, over arrays.
 *
 * <p>At most 0.965 ulps from sin x, the worst of all numbers of binary32, however great or small. sin of either zero is
 * that zero; infinities and NaN give NaN.
 *
 * <p>A vector with an angle beyond 2^17 is computed element by element. Only fused multiply-adds, additions,
 * multiplications and integer operations are used, each of which IEEE 754 or Java fixes to the bit, so that every
 * machine, every lane width and the scalar form give the same bits.
 */
public final class VectorSin {

    private VectorSin() {}

    /**
     * y_i = sin(x_i); y may be x at the same offset.
     *
     * @throws IllegalArgumentException if the elements do not lie within their array
     */
    public static void sinInto(float[] y, int yOffset, float[] x, int xOffset, int length) {
        Angle.sineInto(y, yOffset, x, xOffset, length, 0);
    }

    /** sin x, the very bits that {@link #sinInto} gives an element. */
    public static float sin(float x) {
        return ScalarAngle.sine(x, 0);
    }
}
