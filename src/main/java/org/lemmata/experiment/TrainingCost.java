package org.lemmata.experiment;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.lemmata.dataset.DataSet;
import org.lemmata.dataset.text.TextTask;
import org.lemmata.model.IncrementalForward;
import org.lemmata.model.part.FlopCount;
import org.lemmata.random.PhiloxGenerator;
import org.lemmata.random.Streams;
import org.lemmata.token.Example;

/**
 * The floating-point operations of a training run; {@link FlopCount} counts those of a transformer. A run that stops
 * early needs fewer.
 *
 * <p>All sequences are assumed to have the mean length and the mean number of scored positions of the first
 * {@value #LOOKED_AT}. Drawn prefixes to complete are assumed to be half as long as a sequence.
 *
 * @param validation the cost of one pass over the validation set
 * @param completions the cost of one round of completions and answers
 * @param evaluations the number of evaluations during training, each with validation and completions
 * @param test the cost of the passes over the test set at the end; {@link #total} adds one more round of completions
 * @param atEnd the cost of measurements that are taken only at the end
 */
record TrainingCost(
        double step, int steps, double validation, double completions, int evaluations, double test, double atEnd) {

    private static final int LOOKED_AT = 8;

    static TrainingCost of(TrainingPlan plan) throws IOException {
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
                plan.testMeasures().passes() * plan.data().test() * example.forward(),
                count.map(of -> cost(plan, of, false)).orElse(0.0) + byLength(plan, example.forward()));
    }

    /** Two passes over each split, one for losses and one for right answers; 0 if they are not requested. */
    private static double byLength(TrainingPlan plan, double forward) throws IOException {
        if (!plan.testMeasures().byLength()) {
            return 0;
        }
        DataSet files = plan.task().dataSet();
        if (files == null) {
            return 2.0 * (plan.data().validation() + plan.data().test()) * forward;
        }
        double sum = 0;
        for (String split : files.splits()) {
            List<Example> examples = files.examples(split);
            sum += examples.size() * plan.model().cost(examples).forward();
        }
        return 2 * sum;
    }

    private static double cost(TrainingPlan plan, FlopCount count, boolean inEvaluations) {
        return plan.measurements().stream()
                .flatMap(of -> of.measures().stream())
                .filter(measure -> !measure.inEvaluations().isEmpty() == inEvaluations)
                .mapToDouble(measure -> measure.cost(count, plan))
                .sum();
    }

    private static List<Example> examples(TrainingPlan plan) {
        Optional<TextTask> text = plan.task().text();
        if (text.isPresent()) {
            return List.of(plan.task().prepared(text.get().shape()));
        }
        return plan.task().dataSet() != null
                ? plan.data().draw().trainingSet().stream().limit(LOOKED_AT).toList()
                : IntStream.range(0, LOOKED_AT)
                        .mapToObj(i -> plan.task().sample(new PhiloxGenerator(plan.seed(), Streams.COST, i)))
                        .toList();
    }

    /** The number of evaluations: one every {@code every} steps, and one after the last step. */
    private static int evaluations(int steps, long every) {
        return every == 0 ? 1 : Math.toIntExact(Math.ceilDiv(steps, every));
    }

    static double completion(TrainingPlan plan, FlopCount count, int prefix) {
        return completion(plan, count, prefix, plan.task().length());
    }

    /** The cost of completing a prefix to {@code length} tokens. The model does not read the last token. */
    static double completion(TrainingPlan plan, FlopCount count, int prefix, int length) {
        if (plan.precision().isNone() && IncrementalForward.isExact(count.architecture())) {
            return count.forward(length - 1, count.pairs(length - 1), length - prefix);
        }
        return IntStream.range(prefix, length)
                .mapToDouble(read -> count.forward(read, count.pairs(read), read))
                .sum();
    }

    double total() {
        return step * steps + (validation + completions) * evaluations + test + completions + atEnd;
    }
}
