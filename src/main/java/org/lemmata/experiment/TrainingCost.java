package org.lemmata.experiment;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.lemmata.dataset.DataSet;
import org.lemmata.dataset.text.TextTask;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.model.IncrementalForward;
import org.lemmata.model.Objective;
import org.lemmata.model.part.FlopCount;
import org.lemmata.random.PhiloxGenerator;
import org.lemmata.random.Streams;
import org.lemmata.statistic.Median;
import org.lemmata.sweep.TrialSpeed;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;
import org.lemmata.train.Optimizer;

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
        Optional<FlopCount> count = plan.model().transformer().map(FlopCount::new);
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
        return plan.measures().stream()
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
            return count.forward(length - 1, length - prefix);
        }
        return IntStream.range(prefix, length)
                .mapToDouble(read -> count.forward(read, read))
                .sum();
    }

    double total() {
        return step * steps + (validation + completions) * evaluations + test + completions + atEnd;
    }

    /**
     * Measures the speed of training steps without keeping their results.
     *
     * <p>The batch starts with one sequence and doubles while steps are short, up to the planned size. If a whole step
     * would take too long, its time is extrapolated as the optimizer's time plus the number of sequences times the time
     * per sequence.
     */
    static final class TrainingSpeed {

        /**
         * The maximum duration of a step as a share of the time limit; the rest of the time is for warm-up and
         * measurement.
         */
        private static final double LONGEST_STEP = 1.0 / 6;

        private static final int FEW_STEPS = 5;

        private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

        private final TrainingPlan plan;
        /**
         * Returns nanoseconds: CPU time for one thread; elapsed time for several threads, which wait for each other.
         */
        private final LongSupplier clock;

        private final TrainingData data;
        private final Objective objective;
        private final Optimizer optimizer;
        private final float[] gradients;

        private record StepTime(double sequencesSeconds, double optimizerSeconds) {
            double seconds() {
                return sequencesSeconds + optimizerSeconds;
            }
        }

        private TrainingSpeed(TrainingPlan plan, Kernels kernels, LongSupplier clock) {
            this.plan = plan;
            this.clock = clock;
            data = plan.data().inEpochs(false).draw();
            float[] parameters = plan.model().draw(plan.seed());
            objective = plan.model().objective(parameters, plan.precision(), kernels);
            optimizer = new Optimizer(objective.layout(), plan.optimizer(), plan.precision(), kernels);
            optimizer.start(parameters);
            gradients = new float[parameters.length];
        }

        /**
         * The speed of a run. Takes steps for the given time, and evaluates the later half of those with the largest
         * batch.
         */
        static TrialSpeed measure(TrainingPlan plan, int threads, Duration time) throws IOException {
            LongSupplier clock = threads == 1 ? THREADS::getCurrentThreadCpuTime : System::nanoTime;
            long start = clock.getAsLong();
            try (Workers workers = Workers.of(threads)) {
                var run = new TrainingSpeed(plan, Kernels.best(workers), clock);
                return run.speed((clock.getAsLong() - start) * 1e-9, time.toNanos() * 1e-9);
            }
        }

        private TrialSpeed speed(double startSeconds, double seconds) throws IOException {
            int sequences = 1;
            int most = (int) Math.min(plan.options().batchSize(), Math.ceil(plan.examplesOfStep()));
            double ofSmaller = 0;
            var times = new ArrayList<StepTime>();
            long start = System.nanoTime();
            long startOfClock = clock.getAsLong();
            for (long step = 1; times.isEmpty() || (System.nanoTime() - start) * 1e-9 < seconds; step++) {
                StepTime last = step(sequences, step);
                times.add(last);
                // The first step with a new batch size allocates memory, and code may be compiled again.
                if (times.size() > 1 && sequences < most && 2 * last.seconds() < LONGEST_STEP * seconds) {
                    ofSmaller = last.sequencesSeconds / sequences;
                    sequences = (int) Math.min(most, 2L * sequences);
                    times.clear();
                }
            }
            List<StepTime> warm = times.subList(times.size() / 2, times.size());
            double perSequence = median(warm, StepTime::sequencesSeconds) / sequences;
            double stepSeconds = perSequence * plan.examplesOfStep() + median(warm, StepTime::optimizerSeconds);
            // If the batch is smaller than planned, the time per sequence may fall as much as it did at the last
            // doubling.
            double spread = sequences < most ? Math.max(1, ofSmaller / perSequence) : 1;
            double share = Math.min(1, (double) (clock.getAsLong() - startOfClock) / (System.nanoTime() - start));
            return new TrialSpeed(
                    TrainingCost.of(plan).step() / stepSeconds, startSeconds, spread * spread(warm), share);
        }

        /**
         * The mean time of steps divided by the median, but at least 1, or 2 for few steps. The duration of a run
         * depends on the mean.
         */
        private static double spread(List<StepTime> steps) {
            double mean =
                    steps.stream().mapToDouble(StepTime::seconds).average().orElseThrow();
            return Math.max(steps.size() < FEW_STEPS ? 2 : 1, mean / median(steps, StepTime::seconds));
        }

        private StepTime step(int sequences, long step) {
            long start = clock.getAsLong();
            Batch batch = data.training().nextBatch(sequences);
            int rows = batch.scoredRows().length;
            objective.gradient(gradients, batch, plan.precision().lossScale() / Math.max(1, rows), plan.seed(), step);
            long between = clock.getAsLong();
            double scale = plan.precision().lossScale();
            double squaredNorm = optimizer.clips() ? optimizer.squaredNorm(gradients) / (scale * scale) : Double.NaN;
            optimizer.step(objective.parameters(), gradients, squaredNorm, step);
            Arrays.fill(gradients, 0);
            long end = clock.getAsLong();
            return new StepTime((between - start) * 1e-9, (end - between) * 1e-9);
        }

        private static double median(List<StepTime> times, ToDoubleFunction<StepTime> part) {
            return Median.of(times.stream().mapToDouble(part).toArray());
        }
    }
}
