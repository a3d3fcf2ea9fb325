package org.lemmata.kernel.problem;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.lemmata.kernel.optimizer.Adam;
import org.lemmata.kernel.optimizer.AdamW;
import org.lemmata.kernel.optimizer.Coefficients;
import org.lemmata.kernel.optimizer.OptimizerStep;
import org.lemmata.kernel.optimizer.Sgd;
import org.lemmata.kernel.optimizer.UpdateRule;

/**
 * Steps from parameters between 1 and 2 with gradients between 1/2 and 1. With gradients of 0, the moments would decay
 * to subnormal numbers.
 */
public final class OptimizerStepProblem {

    private final UpdateRule rule;
    private final Coefficients coefficients = new Coefficients();
    private final float[] before;
    private final float[] parameters;
    private final float[] gradients;
    private final float[] firstMoments;
    private final float[] secondMoments;
    private long step;

    public OptimizerStepProblem(UpdateRule rule, int count) {
        this.rule = rule;
        SplittableRandom random = new SplittableRandom(1);
        before = Numbers.uniform(count, 1, 2, random);
        gradients = Numbers.uniform(count, 0.5, 1, random);
        parameters = before.clone();
        firstMoments = new float[count];
        secondMoments = new float[count];
    }

    /**
     * The first step after a reset, then further steps. The error may be at most the error of rounding a parameter and
     * its small change.
     *
     * @param flops operations per parameter
     * @param bytes bytes per parameter
     */
    public Workload<OptimizerStep> step(double flops, double bytes) {
        return new Workload<>(
                this::reset,
                parameters,
                optimizerStep -> {
                    step++;
                    coefficients.set(rule, 1, step, 1);
                    optimizerStep.step(
                            parameters, firstMoments, secondMoments, gradients, coefficients, 0, parameters.length);
                },
                i -> Expected.inUlps(exactFirstStep(before[i], gradients[i])),
                0.51,
                flops * parameters.length,
                bytes * parameters.length);
    }

    private void reset() {
        step = 0;
        System.arraycopy(before, 0, parameters, 0, before.length);
        Arrays.fill(firstMoments, 0);
        Arrays.fill(secondMoments, 0);
    }

    /** The direction of the first step, in which the bias-corrected moments are the gradient and its square. */
    private static double adaptive(double gradient, double epsilon) {
        return gradient / (Math.abs(gradient) + epsilon);
    }

    private double exactFirstStep(double p, double gradient) {
        return switch (rule) {
            case Sgd r -> {
                double g = gradient + r.weightDecay() * p;
                yield p - r.learningRate() * (r.nesterov() ? g + r.momentum() * g : g);
            }
            case Adam r -> p - r.learningRate() * adaptive(gradient + r.weightDecay() * p, r.epsilon());
            case AdamW r -> p - r.learningRate() * (adaptive(gradient, r.epsilon()) + r.weightDecay() * p);
        };
    }
}
