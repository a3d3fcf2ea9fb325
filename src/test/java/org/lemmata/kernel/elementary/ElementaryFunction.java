package org.lemmata.kernel.elementary;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** The elementary functions: SIMD and scalar form, a binary64 oracle, and the error bound of the Javadoc. */
public enum ElementaryFunction {
    EXP(0.892, true),
    SIN(0.965, false),
    COS(0.968, false);

    static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    /** The worst error in ulps over all of binary32, rounded up. */
    final double worstUlps;

    private final boolean flushesToZero;

    ElementaryFunction(double worstUlps, boolean flushesToZero) {
        this.worstUlps = worstUlps;
        this.flushesToZero = flushesToZero;
    }

    /** Applies the SIMD form to whole vectors of {@code x}. */
    public void vectorInto(float[] y, float[] x) {
        switch (this) {
            case EXP -> {
                for (int i = 0; i < x.length; i += SPECIES.length()) {
                    VectorExp.exp(FloatVector.fromArray(SPECIES, x, i)).intoArray(y, i);
                }
            }
            case SIN -> VectorSine.sinInto(y, 0, x, 0, x.length);
            case COS -> VectorSine.cosInto(y, 0, x, 0, x.length);
        }
    }

    public float scalar(float x) {
        return switch (this) {
            case EXP -> ScalarExp.exp(x);
            case SIN -> ScalarSine.sin(x);
            case COS -> ScalarSine.cos(x);
        };
    }

    private double exact(double x) {
        return switch (this) {
            case EXP -> StrictMath.exp(x);
            case SIN -> StrictMath.sin(x);
            case COS -> StrictMath.cos(x);
        };
    }

    /** The error of y at x in ulps of binary32; infinity if a special value is wrong. */
    double ulps(float x, float y) {
        double exact = exact(x);
        // Values between the largest finite number and 2^128 may be rounded to either; the rounded value decides.
        float rounded = (float) exact;
        boolean flushed = flushesToZero && Math.abs(exact) < Float.MIN_NORMAL;
        if (Float.isFinite(rounded) && exact != 0 && !flushed) {
            boolean sameSign = y == 0 || y < 0 == exact < 0;
            return Float.isFinite(y) && sameSign ? Math.abs(y - exact) / Math.ulp(rounded) : Double.POSITIVE_INFINITY;
        }
        return Float.compare(y, flushed ? 0 : rounded) == 0 ? 0 : Double.POSITIVE_INFINITY;
    }

    /** The maximum error of the vector form over a whole number of vectors; infinity if the scalar form differs. */
    double worstUlps(float[] y, float[] x) {
        vectorInto(y, x);
        double worst = 0;
        for (int i = 0; i < x.length; i++) {
            if (Float.floatToRawIntBits(y[i]) != Float.floatToRawIntBits(scalar(x[i]))) {
                return Double.POSITIVE_INFINITY;
            }
            worst = Math.max(worst, ulps(x[i], y[i]));
        }
        return worst;
    }
}
