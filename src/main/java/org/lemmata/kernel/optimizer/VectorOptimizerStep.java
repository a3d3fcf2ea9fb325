package org.lemmata.kernel.optimizer;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.thread.Workers;

/**
 * Runs on SIMD lanes, in one pass over the arrays.
 *
 * <p>{@link ScalarOptimizerStep} computes parameters that do not fill a vector, with the same bits. Calls allocate
 * nothing.
 */
public final class VectorOptimizerStep implements OptimizerStep {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private static final int LANES = SPECIES.length();

    /** The number of parameters in a chunk: about ten microseconds of work, and a multiple of the number of lanes. */
    private static final int CHUNK = 1 << 15;

    private static final ThreadLocal<Job> JOB = ThreadLocal.withInitial(Job::new);

    private static final float[] NONE = {};

    private static final Coefficients NO_RULE = new Coefficients();

    private final Workers workers;

    public VectorOptimizerStep(Workers workers) {
        this.workers = workers;
    }

    private static final class Job implements Workers.Chunks {

        private Coefficients coefficients = NO_RULE;
        private float[] parameters = NONE;
        private float[] first = NONE;
        private float[] second = NONE;
        private float[] gradients = NONE;
        private int from;
        private int to;

        @Override
        public void run(int chunk) {
            int start = from + chunk * CHUNK;
            int end = start + Math.min(CHUNK, to - start);
            switch (coefficients.moments) {
                case 0 -> descend(parameters, gradients, coefficients, start, end);
                case 1 -> descendWithMomentum(parameters, first, gradients, coefficients, start, end);
                default -> adapt(parameters, first, second, gradients, coefficients, start, end);
            }
        }
    }

    @Override
    public void step(
            float[] parameters, float[] first, float[] second, float[] gradients, Coefficients by, int from, int to) {
        OptimizerStep.check(parameters, first, second, gradients, by, from, to);
        Job job = JOB.get();
        job.coefficients = by;
        job.parameters = parameters;
        job.first = first;
        job.second = second;
        job.gradients = gradients;
        job.from = from;
        job.to = to;
        workers.run(Math.ceilDiv(to - from, CHUNK), job);
        job.coefficients = NO_RULE;
        job.parameters = NONE;
        job.first = NONE;
        job.second = NONE;
        job.gradients = NONE;
    }

    private static void descend(float[] parameters, float[] gradients, Coefficients by, int from, int to) {
        FloatVector scale = FloatVector.broadcast(SPECIES, by.gradientScale);
        FloatVector decay = FloatVector.broadcast(SPECIES, by.coupledDecay);
        FloatVector back = FloatVector.broadcast(SPECIES, -by.stepSize);
        int i = from;
        for (; i <= to - LANES; i += LANES) {
            FloatVector p = FloatVector.fromArray(SPECIES, parameters, i);
            FloatVector g =
                    decay.fma(p, FloatVector.fromArray(SPECIES, gradients, i).mul(scale));
            back.fma(g, p).intoArray(parameters, i);
        }
        ScalarOptimizerStep.descend(parameters, gradients, by, i, to);
    }

    private static void descendWithMomentum(
            float[] parameters, float[] momenta, float[] gradients, Coefficients by, int from, int to) {
        FloatVector scale = FloatVector.broadcast(SPECIES, by.gradientScale);
        FloatVector decay = FloatVector.broadcast(SPECIES, by.coupledDecay);
        FloatVector rate = FloatVector.broadcast(SPECIES, by.firstRate);
        FloatVector back = FloatVector.broadcast(SPECIES, -by.stepSize);
        int i = from;
        for (; i <= to - LANES; i += LANES) {
            FloatVector p = FloatVector.fromArray(SPECIES, parameters, i);
            FloatVector g =
                    decay.fma(p, FloatVector.fromArray(SPECIES, gradients, i).mul(scale));
            FloatVector b = rate.fma(FloatVector.fromArray(SPECIES, momenta, i), g);
            b.intoArray(momenta, i);
            if (by.nesterov) {
                back.fma(rate.fma(b, g), p).intoArray(parameters, i);
            } else {
                back.fma(b, p).intoArray(parameters, i);
            }
        }
        ScalarOptimizerStep.descendWithMomentum(parameters, momenta, gradients, by, i, to);
    }

    private static void adapt(
            float[] parameters, float[] first, float[] second, float[] gradients, Coefficients by, int from, int to) {
        FloatVector scale = FloatVector.broadcast(SPECIES, by.gradientScale);
        FloatVector coupledDecay = FloatVector.broadcast(SPECIES, by.coupledDecay);
        FloatVector decoupledDecay = FloatVector.broadcast(SPECIES, by.decoupledDecay);
        FloatVector firstRate = FloatVector.broadcast(SPECIES, by.firstRate);
        FloatVector firstComplement = FloatVector.broadcast(SPECIES, by.firstComplement);
        FloatVector secondRate = FloatVector.broadcast(SPECIES, by.secondRate);
        FloatVector secondComplement = FloatVector.broadcast(SPECIES, by.secondComplement);
        FloatVector stepSize = FloatVector.broadcast(SPECIES, by.stepSize);
        FloatVector rootCorrection = FloatVector.broadcast(SPECIES, by.rootCorrection);
        FloatVector epsilon = FloatVector.broadcast(SPECIES, by.epsilon);
        int i = from;
        for (; i <= to - LANES; i += LANES) {
            FloatVector p = FloatVector.fromArray(SPECIES, parameters, i);
            FloatVector g = coupledDecay.fma(
                    p, FloatVector.fromArray(SPECIES, gradients, i).mul(scale));
            FloatVector m = firstComplement.fma(
                    g, FloatVector.fromArray(SPECIES, first, i).mul(firstRate));
            FloatVector v = secondComplement.fma(
                    g.mul(g), FloatVector.fromArray(SPECIES, second, i).mul(secondRate));
            m.intoArray(first, i);
            v.intoArray(second, i);
            FloatVector direction = m.div(v.sqrt().fma(rootCorrection, epsilon));
            p.sub(decoupledDecay.fma(p, direction.mul(stepSize))).intoArray(parameters, i);
        }
        ScalarOptimizerStep.adapt(parameters, first, second, gradients, by, i, to);
    }
}
