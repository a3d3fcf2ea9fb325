package org.lemmata.kernel.optimizer;

/** The scalar reference: updates one parameter at a time. */
public final class ScalarOptimizerStep implements OptimizerStep {

    @Override
    public void step(
            float[] parameters, float[] first, float[] second, float[] gradients, Coefficients by, int from, int to) {
        OptimizerStep.check(parameters, first, second, gradients, by, from, to);
        switch (by.moments) {
            case 0 -> descend(parameters, gradients, by, from, to);
            case 1 -> descendWithMomentum(parameters, first, gradients, by, from, to);
            default -> adapt(parameters, first, second, gradients, by, from, to);
        }
    }

    static void descend(float[] parameters, float[] gradients, Coefficients by, int from, int to) {
        for (int i = from; i < to; i++) {
            float p = parameters[i];
            float g = Math.fma(by.coupledDecay, p, by.gradientScale * gradients[i]);
            parameters[i] = Math.fma(-by.stepSize, g, p);
        }
    }

    static void descendWithMomentum(
            float[] parameters, float[] momenta, float[] gradients, Coefficients by, int from, int to) {
        for (int i = from; i < to; i++) {
            float p = parameters[i];
            float g = Math.fma(by.coupledDecay, p, by.gradientScale * gradients[i]);
            float b = Math.fma(by.firstRate, momenta[i], g);
            momenta[i] = b;
            parameters[i] = Math.fma(-by.stepSize, by.nesterov ? Math.fma(by.firstRate, b, g) : b, p);
        }
    }

    /** A step of Adam or AdamW. At least one of the two decays is 0. */
    static void adapt(
            float[] parameters, float[] first, float[] second, float[] gradients, Coefficients by, int from, int to) {
        for (int i = from; i < to; i++) {
            float p = parameters[i];
            float g = Math.fma(by.coupledDecay, p, by.gradientScale * gradients[i]);
            float m = Math.fma(by.firstComplement, g, by.firstRate * first[i]);
            float v = Math.fma(by.secondComplement, g * g, by.secondRate * second[i]);
            first[i] = m;
            second[i] = v;
            // The binary64 square root of a binary32 number, rounded to binary32, is correctly rounded.
            float root = Math.fma((float) Math.sqrt(v), by.rootCorrection, by.epsilon);
            parameters[i] = p - Math.fma(by.decoupledDecay, p, by.stepSize * (m / root));
        }
    }
}
