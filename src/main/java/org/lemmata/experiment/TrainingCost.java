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
 * @param contexts of all trials of the contexts, at the end
 * @param testSequences of sequences of lengths of their own, and of those of a process, at the end
 */
record TrainingCost(
        double step,
        int steps,
        double validation,
        double completions,
        int evaluations,
        double test,
        double contexts,
        double testSequences) {

    /** Sequences that are looked at. */
    private static final int LOOKED_AT = 8;

    /** Counts; a few examples are drawn. */
    static TrainingCost of(TrainingPlan plan) {
        TrainedModel.Cost example = plan.model().cost(examples(plan));
        Optional<FlopCount> count = plan.measurements().map(of -> new FlopCount(of.architecture()));
        double completions =
                count.map(of -> completions(plan, of) + answers(plan, of)).orElse(0.0);
        boolean evaluates = plan.data().validation() > 0 || completions > 0;
        return new TrainingCost(
                plan.examplesOfStep() * example.gradient(),
                plan.steps(),
                plan.data().validation() * example.forward(),
                completions,
                evaluates ? evaluations(plan.steps(), plan.options().evaluateEvery()) : 0,
                plan.data().test() * example.forward(),
                count.map(of -> contexts(plan, of)).orElse(0.0),
                count.map(of -> measurements(plan).testSequences().cost(of)
                                + measurements(plan).law().cost(of, plan.task(), plan.seed()))
                        .orElse(0.0));
    }

    private static TrainingPlan.Measurements measurements(TrainingPlan plan) {
        return plan.measurements().orElseThrow();
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

    private static double completions(TrainingPlan plan, FlopCount count) {
        return measurements(plan)
                .completions()
                .map(settings -> {
                    double prefixes = (double) settings.count() * settings.kinds();
                    int before = plan.task().prefixed().length;
                    return prefixes * completion(plan, count)
                            + settings.lengths()
                                    .intStream()
                                    .mapToDouble(length -> settings.count()
                                            * completion(plan, count, before + length / 2, before + length))
                                    .sum();
                })
                .orElse(0.0);
    }

    /** Each ends, as the right answer does. */
    private static double answers(TrainingPlan plan, FlopCount count) {
        return measurements(plan)
                .answers()
                .map(settings ->
                        settings.draw(LOOKED_AT, count.architecture().maxLength(), plan.seed()).values().stream()
                                        .flatMap(List::stream)
                                        .mapToDouble(exercise -> {
                                            int read = exercise.question().length + exercise.answer().length;
                                            return count.forward(
                                                    read, count.pairs(read), exercise.answer().length + 1.0);
                                        })
                                        .sum()
                                * settings.count()
                                * (settings.answerLoss() ? 2 : 1)
                                / LOOKED_AT)
                .orElse(0.0);
    }

    private static double contexts(TrainingPlan plan, FlopCount count) {
        return measurements(plan)
                .contexts()
                .map(settings -> settings.contexts().values().stream()
                        .mapToDouble(context -> settings.trials() * completion(plan, count, context.length()))
                        .sum())
                .orElse(0.0);
    }

    /** From half a sequence to a whole one. */
    private static double completion(TrainingPlan plan, FlopCount count) {
        return completion(plan, count, Math.max(1, plan.task().length() / 2));
    }

    private static double completion(TrainingPlan plan, FlopCount count, int prefix) {
        return completion(plan, count, prefix, plan.task().length());
    }

    /** The last token is not read. */
    private static double completion(TrainingPlan plan, FlopCount count, int prefix, int length) {
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
        return step * steps + (validation + completions) * evaluations + test + completions + contexts + testSequences;
    }
}
