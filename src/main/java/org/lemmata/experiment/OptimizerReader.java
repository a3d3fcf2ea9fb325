package org.lemmata.experiment;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lemmata.config.Configuration;
import org.lemmata.config.Section;
import org.lemmata.kernel.optimizer.Adam;
import org.lemmata.kernel.optimizer.AdamW;
import org.lemmata.kernel.optimizer.Sgd;
import org.lemmata.kernel.optimizer.UpdateRule;
import org.lemmata.setting.Setting;
import org.lemmata.setting.ValueType;
import org.lemmata.train.OptimizerOptions;
import org.lemmata.train.ParameterGroup;
import org.lemmata.train.Schedule;
import org.lemmata.train.Schedule.ConstantRate;
import org.lemmata.train.Schedule.CosineDecay;
import org.lemmata.train.Schedule.LinearWarmUp;
import org.lemmata.train.Schedule.StepDecay;

/** Reads the sections {@code optimizer} and {@code schedule}. */
final class OptimizerReader {

    static final Section SECTION =
            Section.of("optimizer", Setting.table("""
                kind | adamw | `sgd`, `adam` or `adamw`
                learning-rate | 1e-3 | the learning rate that the schedule multiplies
                betas | [0.9, 0.999] | decay rates of the two moments of `adam` and `adamw`
                epsilon | 1e-8 | added to the root of the second moment of `adam` and `adamw`
                momentum | 0 | momentum of `sgd`
                nesterov | false | whether `sgd` with momentum uses Nesterov momentum
                weight-decay | | weight decay, decoupled for `adamw`; by default 0.01 for `adamw` and 0 for the others
                decay-vectors | false | whether weight decay also applies to biases, gains and shifts
                clipping | none | maximum norm of the gradient of all trained parameters
                """), Section.repeated("groups", Setting.table("""
                    match | | a glob over parameter names, such as `layer.*.query`; a parameter belongs to the first
                      group that matches
                    learning-rate | | by default the optimizer's, multiplied by the factor of `mu-p`; a given rate is
                      not multiplied
                    weight-decay | | by default the optimizer's; a given value also applies to vectors
                    frozen | false | whether these parameters keep their initial values
                    """)));

    static final Section SCHEDULE = Section.of("schedule", Setting.table("""
        kind | constant | `constant`, `cosine` or `step`
        warm-up | 0 | steps in which the rate rises linearly to its full value
        steps | | `cosine`: number of steps; by default all after the warm-up
        floor | 0 | `cosine`: last rate divided by the first
        every | | `step`: number of steps with the same rate; must be given
        ratio | 0.1 | `step`: each rate divided by the previous one
        """));

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

    private static final double ADAMW_DECAY = 0.01;

    private OptimizerReader() {}

    static OptimizerOptions read(Configuration section, Configuration schedule, int steps, TrainedModel model) {
        UpdateRule rule = rule(section);
        List<ParameterGroup> given =
                section.sections("groups").stream().map(OptimizerReader::group).toList();
        List<ParameterGroup> groups = rule instanceof Sgd ? given : model.withRateFactors(given);
        boolean decayVectors = section.flag("decay-vectors");
        double clipping = section.unless("none", "clipping", ValueType.POSITIVE).orElse(Double.POSITIVE_INFINITY);
        return new OptimizerOptions(rule, schedule(schedule, steps), groups, decayVectors, clipping);
    }

    private static UpdateRule rule(Configuration optimizer) {
        Rule kind = optimizer.choice("kind", Rule.class);
        double rate = optimizer.get("learning-rate", ValueType.NOT_NEGATIVE);
        double decay =
                optimizer.get("weight-decay", ValueType.NOT_NEGATIVE, () -> kind == Rule.ADAMW ? ADAMW_DECAY : 0.0);
        if (kind == Rule.SGD) {
            double momentum = optimizer.get("momentum", ValueType.FRACTION);
            return new Sgd(rate, momentum, momentum > 0 && optimizer.flag("nesterov"), decay);
        }
        List<Double> betas = optimizer.fractions("betas");
        double epsilon = optimizer.get("epsilon", ValueType.NOT_NEGATIVE);
        return kind == Rule.ADAM
                ? new Adam(rate, betas.get(0), betas.get(1), epsilon, decay)
                : new AdamW(rate, betas.get(0), betas.get(1), epsilon, decay);
    }

    private static ParameterGroup group(Configuration section) {
        ParameterGroup group =
                section.checked("match", () -> ParameterGroup.of(section.text("match", "a glob over parameter names")));
        return section.flag("frozen")
                ? group.freeze()
                : new ParameterGroup(
                        group.names(), own(section, "learning-rate"), 1, own(section, "weight-decay"), false);
    }

    private static @Nullable Double own(Configuration section, String key) {
        return section.isGiven(key) ? section.get(key, ValueType.NOT_NEGATIVE) : null;
    }

    private static Schedule schedule(Configuration schedule, int steps) {
        Course course = schedule.choice("kind", Course.class);
        int warmUp = schedule.integer("warm-up", 0, steps);
        Schedule then = switch (course) {
            case CONSTANT -> new ConstantRate();
            case COSINE ->
                new CosineDecay(
                        schedule.get(
                                "steps", ValueType.integer(1, Integer.MAX_VALUE), () -> Math.max(1, steps - warmUp)),
                        schedule.get("floor", ValueType.SHARE));
            case STEP ->
                new StepDecay(schedule.integer("every", 1, Integer.MAX_VALUE), schedule.get("ratio", ValueType.SHARE));
        };
        return warmUp == 0 ? then : new LinearWarmUp(warmUp, then);
    }
}
