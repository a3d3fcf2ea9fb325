package org.lemmata.kernel.elementary;

/**
 * sin x and cos x in binary32, over arrays.
 *
 * <p>At most 0.965 ulps from sin x and 0.968 from cos x, the worst of all numbers of binary32, however great or small;
 * up to 2^17, 0.962 from cos x. sin of either zero is that zero; infinities and NaN give NaN.
 *
 * <p>A vector with an angle beyond 2^17 is computed element by element. Only fused multiply-adds, additions,
 * multiplications and integer operations are used, each of which IEEE 754 or Java fixes to the bit, so that every
 * machine, every lane width and the scalar form give the same bits.
 */
public final class VectorSine {

    private VectorSine() {}

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

    /**
     * y_i = cos(x_i); y may be x at the same offset.
     *
     * @throws IllegalArgumentException if the elements do not lie within their array
     */
    public static void cosInto(float[] y, int yOffset, float[] x, int xOffset, int length) {
        Angle.sineInto(y, yOffset, x, xOffset, length, 1);
    }

    /** cos x, the very bits that {@link #cosInto} gives an element. */
    public static float cos(float x) {
        return ScalarAngle.sine(x, 1);
    }
}
