package org.lemmata.train;

import java.util.List;
import org.lemmata.argument.Refuse;
import org.lemmata.kernel.optimizer.UpdateRule;
import org.lemmata.train.Schedule.ConstantRate;

/**
 * How parameters follow their gradients.
 *
 * @param rule with the learning rate that the schedule multiplies, and the weight decay of what is decayed
 * @param schedule of the learning rates of all groups
 * @param groups what is different for some parameters; the first group that contains a parameter has it
 * @param decayVectors whether vectors (biases, gains, shifts) are decayed, too; GPT-2's training decays matrices and
 *     tables alone
 * @param maxGradientNorm what the norm of the gradient of all trained parameters is clipped to, above 0; infinite for
 *     no clipping
 */
public record OptimizerOptions(
        UpdateRule rule, Schedule schedule, List<ParameterGroup> groups, boolean decayVectors, double maxGradientNorm) {

    public OptimizerOptions {
        groups = List.copyOf(groups);
        Refuse.when(!(maxGradientNorm > 0), "maxGradientNorm", "above 0", maxGradientNorm);
    }

    /** One rule at a constant rate for all parameters, vectors undecayed, without clipping. */
    public static OptimizerOptions of(UpdateRule rule) {
        return new OptimizerOptions(rule, new ConstantRate(), List.of(), false, Double.POSITIVE_INFINITY);
    }

    public OptimizerOptions withSchedule(Schedule schedule) {
        return new OptimizerOptions(rule, schedule, groups, decayVectors, maxGradientNorm);
    }

    public OptimizerOptions withGroups(ParameterGroup... groups) {
        return new OptimizerOptions(rule, schedule, List.of(groups), decayVectors, maxGradientNorm);
    }

    public OptimizerOptions withDecayedVectors() {
        return new OptimizerOptions(rule, schedule, groups, true, maxGradientNorm);
    }

    public OptimizerOptions withMaxGradientNorm(double maxGradientNorm) {
        return new OptimizerOptions(rule, schedule, groups, decayVectors, maxGradientNorm);
    }
}
