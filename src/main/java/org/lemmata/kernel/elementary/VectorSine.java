package org.lemmata.kernel.elementary;

/**
 * sin x and cos x in binary32, over arrays.
 *
 * <p>The maximum error over all binary32 numbers is 0.965 ulps for sin x and 0.968 ulps for cos x (0.962 if |x| is at
 * most 2^17). sin(+0) = +0, sin(-0) = -0; infinities and NaN give NaN.
 *
 * <p>A vector with an angle above 2^17 is computed element by element. Only fused multiply-adds, additions,
 * multiplications and integer operations are used, whose results IEEE 754 or Java defines exactly. So every machine,
 * every number of lanes and the scalar form give the same bits.
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

    public static float cos(float x) {
        return ScalarAngle.sine(x, 1);
    }
}
