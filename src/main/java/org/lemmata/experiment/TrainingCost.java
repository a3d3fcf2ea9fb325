package org.lemmata.experiment;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.model.part.FlopCount;
import org.lemmata.random.PhiloxGenerator;
import org.lemmata.random.Streams;
import org.lemmata.token.Example;

/**
 * The floating-point operations of a training run, as {@link FlopCount} counts them. A run that stops early takes
 * fewer.
 *
 * <p>All sequences are taken to be as long, and to have as many scored positions, as a few of them are on average.
 * Prefixes to complete are taken to be half a sequence long.
 *
 * @param step of one step
 * @param steps as many as there are at most
 * @param validation of one pass over the validation set
 * @param completions of one round of completions and answers
 * @param evaluations as many rounds of validation and completions as there are while it trains
 * @param test of the pass over the test set, at the end, beside which there is one more round of completions
 * @param atEnd of what is measured at the end alone
 */
record TrainingCost(
        double step, int steps, double validation, double completions, int evaluations, double test, double atEnd) {

    /** Sequences that are looked at. */
    private static final int LOOKED_AT = 8;

    /** Counts; a few examples are drawn. */
    static TrainingCost of(TrainingPlan plan) {
        TrainedModel.Cost example = plan.model().cost(examples(plan));
        Optional<FlopCount> count = plan.measurements().map(of -> new FlopCount(of.architecture()));
        double completions = count.map(of -> cost(plan, of, true)).orElse(0.0);
        boolean evaluates = plan.data().validation() > 0 || completions > 0;
        return new TrainingCost(
                plan.examplesOfStep() * example.gradient(),
                plan.steps(),
                plan.data().validation() * example.forward(),
                completions,
                evaluates ? evaluations(plan.steps(), plan.options().evaluateEvery()) : 0,
                plan.data().test() * example.forward(),
                count.map(of -> cost(plan, of, false)).orElse(0.0));
    }

    private static double cost(TrainingPlan plan, FlopCount count, boolean inEvaluations) {
        return plan.measurements().stream()
                .flatMap(of -> of.measures().stream())
                .filter(measure -> !measure.inEvaluations().isEmpty() == inEvaluations)
                .mapToDouble(measure -> measure.cost(count, plan))
                .sum();
    }

    private static List<Example> examples(TrainingPlan plan) {
        return plan.task().dataSet() != null
                ? plan.data().draw().trainingSet().stream().limit(LOOKED_AT).toList()
                : IntStream.range(0, LOOKED_AT)
                        .mapToObj(i -> plan.task().sample(new PhiloxGenerator(plan.seed(), Streams.COST, i)))
                        .toList();
    }

    /** One every so many steps, and one after the last step. */
    private static int evaluations(int steps, long every) {
        return every == 0 ? 1 : Math.toIntExact(Math.ceilDiv(steps, every));
    }

    /** Of completing a prefix to a sequence of the task. */
    static double completion(TrainingPlan plan, FlopCount count, int prefix) {
        return completion(plan, count, prefix, plan.task().length());
    }

    /** The last token is not read. */
    static double completion(TrainingPlan plan, FlopCount count, int prefix, int length) {
        boolean cached =
                plan.precision().isNone() && count.architecture().attention().mask() == Mask.CAUSAL;
        if (cached) {
            return count.forward(length - 1, count.pairs(length - 1), length - prefix);
        }
        return IntStream.range(prefix, length)
                .mapToDouble(read -> count.forward(read, count.pairs(read), read))
                .sum();
    }

    /** All of it. */
    double total() {
        return step * steps + (validation + completions) * evaluations + test + completions + atEnd;
    }
}
