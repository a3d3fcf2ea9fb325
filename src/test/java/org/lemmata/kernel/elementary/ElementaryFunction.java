package org.lemmata.kernel.elementary;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** The elementary functions: SIMD and scalar form, a binary64 oracle, and the error bound of the Javadoc. */
public enum ElementaryFunction {
    EXP(0.892, true) {
        @Override
        public void vectorInto(float[] y, float[] x) {
            for (int i = 0; i < x.length; i += SPECIES.length()) {
                VectorExp.exp(FloatVector.fromArray(SPECIES, x, i)).intoArray(y, i);
            }
        }

        @Override
        public float scalar(float x) {
            return ScalarExp.exp(x);
        }

        @Override
        double exact(double x) {
            return StrictMath.exp(x);
        }
    },
    SIN(0.965, false) {
        @Override
        public void vectorInto(float[] y, float[] x) {
            VectorSine.sinInto(y, 0, x, 0, x.length);
        }

        @Override
        public float scalar(float x) {
            return ScalarSine.sin(x);
        }

        @Override
        double exact(double x) {
            return StrictMath.sin(x);
        }
    },
    COS(0.968, false) {
        @Override
        public void vectorInto(float[] y, float[] x) {
            VectorSine.cosInto(y, 0, x, 0, x.length);
        }

        @Override
        public float scalar(float x) {
            return ScalarSine.cos(x);
        }

        @Override
        double exact(double x) {
            return StrictMath.cos(x);
        }
    };

    static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    /** The worst error in ulps over all of binary32, rounded up. */
    final double worstUlps;

    private final boolean flushesToZero;

    ElementaryFunction(double worstUlps, boolean flushesToZero) {
        this.worstUlps = worstUlps;
        this.flushesToZero = flushesToZero;
    }

    /** Applies the SIMD form to whole vectors of {@code x}. */
    public abstract void vectorInto(float[] y, float[] x);

    public abstract float scalar(float x);

    abstract double exact(double x);

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
