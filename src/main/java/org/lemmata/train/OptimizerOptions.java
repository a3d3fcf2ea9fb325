package org.lemmata.train;

import java.util.List;
import org.lemmata.argument.Refuse;
import org.lemmata.kernel.optimizer.UpdateRule;
import org.lemmata.train.Schedule.ConstantRate;

/**
 * The options of an optimizer.
 *
 * @param rule update rule with learning rate and weight decay
 * @param schedule factor of the learning rates of all groups
 * @param groups exceptions for some parameters; the first group that contains a parameter applies
 * @param decayVectors whether weight decay also applies to vectors (biases, gains, shifts); the first GPT (Radford et
 *     al., 2018) was trained with decay of matrices and tables only
 * @param maxGradientNorm the norm to which the gradient of all trained parameters is clipped, above 0; infinite for no
 *     clipping
 */
public record OptimizerOptions(
        UpdateRule rule, Schedule schedule, List<ParameterGroup> groups, boolean decayVectors, double maxGradientNorm) {

    public OptimizerOptions {
        groups = List.copyOf(groups);
        Refuse.when(!(maxGradientNorm > 0), "maxGradientNorm", "above 0", maxGradientNorm);
    }

    /** One rule for all parameters, at a constant rate, without decay of vectors and without clipping. */
    public static OptimizerOptions of(UpdateRule rule) {
        return new OptimizerOptions(rule, new ConstantRate(), List.of(), false, Double.POSITIVE_INFINITY);
    }
}
