package org.lemmata.experiment;

import java.util.List;
import java.util.OptionalDouble;
import org.lemmata.config.Configuration;
import org.lemmata.kernel.optimizer.Adam;
import org.lemmata.kernel.optimizer.AdamW;
import org.lemmata.kernel.optimizer.Sgd;
import org.lemmata.kernel.optimizer.UpdateRule;
import org.lemmata.model.Architecture;
import org.lemmata.train.ConstantRate;
import org.lemmata.train.CosineDecay;
import org.lemmata.train.LinearWarmUp;
import org.lemmata.train.OptimizerOptions;
import org.lemmata.train.ParameterGroup;
import org.lemmata.train.Schedule;
import org.lemmata.train.StepDecay;

/** Reads the sections {@code optimizer} and {@code schedule}. */
final class OptimizerReader {

    private enum Rule {
        SGD,
        ADAM,
        ADAMW
    }

    private enum Course {
        CONSTANT,
        COSINE,
        STEP
    }

    /** The default of torch.optim.AdamW. */
    private static final double ADAMW_DECAY = 0.01;

    private OptimizerReader() {}

    /**
     * @param steps of the whole run
     * @param start gives the rates of Adam factors
     * @throws IllegalArgumentException if a value is not legal
     */
    static OptimizerOptions read(
            Configuration optimizer,
            Configuration schedule,
            int steps,
            InitializationReader start,
            Architecture architecture) {
        UpdateRule rule = rule(optimizer);
        List<ParameterGroup> given = optimizer.sections("groups").stream()
                .map(OptimizerReader::group)
                .toList();
        List<ParameterGroup> groups = rule instanceof Sgd ? given : start.withRateFactors(given, architecture);
        boolean decayVectors = optimizer.flag("decay-vectors");
        double clipping = optimizer.positiveOrNone("clipping").orElse(Double.POSITIVE_INFINITY);
        return new OptimizerOptions(rule, schedule(schedule, steps), groups, decayVectors, clipping);
    }

    private static UpdateRule rule(Configuration optimizer) {
        Rule kind = optimizer.choice("kind", Rule.class);
        double rate = optimizer.notNegative("learning-rate");
        double decay = optimizer.notNegative("weight-decay", kind == Rule.ADAMW ? ADAMW_DECAY : 0);
        if (kind == Rule.SGD) {
            double momentum = optimizer.fraction("momentum");
            return new Sgd(rate, momentum, momentum > 0 && optimizer.flag("nesterov"), decay);
        }
        List<Double> betas = optimizer.fractions("betas");
        double epsilon = optimizer.notNegative("epsilon");
        return kind == Rule.ADAM
                ? new Adam(rate, betas.get(0), betas.get(1), epsilon, decay)
                : new AdamW(rate, betas.get(0), betas.get(1), epsilon, decay);
    }

    private static ParameterGroup group(Configuration section) {
        ParameterGroup group;
        try {
            group = ParameterGroup.of(section.text("match", "a glob over parameter names"));
        } catch (IllegalArgumentException e) {
            throw section.refusal("match", e.getMessage());
        }
        if (section.flag("frozen")) {
            return group.freeze();
        }
        OptionalDouble rate = section.notNegativeIfGiven("learning-rate");
        OptionalDouble decay = section.notNegativeIfGiven("weight-decay");
        group = rate.isPresent() ? group.withRate(rate.getAsDouble()) : group;
        return decay.isPresent() ? group.withWeightDecay(decay.getAsDouble()) : group;
    }

    private static Schedule schedule(Configuration schedule, int steps) {
        Course course = schedule.choice("kind", Course.class);
        int warmUp = schedule.integer("warm-up", 0, steps);
        Schedule then = switch (course) {
            case CONSTANT -> new ConstantRate();
            case COSINE ->
                new CosineDecay(
                        schedule.integer("steps", 1, Integer.MAX_VALUE, () -> Math.max(1, steps - warmUp)),
                        schedule.share("floor"));
            case STEP -> new StepDecay(schedule.integer("every", 1, Integer.MAX_VALUE), schedule.share("ratio"));
        };
        return warmUp == 0 ? then : new LinearWarmUp(warmUp, then);
    }
}
