package org.lemmata.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.lemmata.config.Configuration;
import org.lemmata.dataset.DataSet;
import org.lemmata.dataset.DataSetWriter;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.model.Objective;
import org.lemmata.model.Parameters;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.statistic.Measurement;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;
import org.lemmata.train.Evaluation;
import org.lemmata.train.ExampleStream;
import org.lemmata.train.Optimizer;
import org.lemmata.train.Training;
import org.lemmata.train.TrainingListener;
import org.lemmata.train.TrainingResult;

/**
 * A configured training run. Equal configurations give bit-identical results for any number of threads.
 *
 * <p>Creating a run prepares everything, so that errors in the configuration are reported before any file is written.
 */
public final class TrainingRun implements AutoCloseable {

    /** The keys that do not affect any bit of the result. A run may be resumed with other values of these keys. */
    public static final Set<String> FREE = Set.of("threads");

    /** The number of training examples for trivial answers if the training set is not finite. */
    private static final int BASELINE = 1024;

    private final TrainingPlan plan;
    private final Workers workers;
    private final Kernels kernels;
    private final TrainingData data;
    private final float[] parameters;
    private final Objective objective;
    private final Optimizer optimizer;
    private final SortedMap<String, Measure.Metric> metrics = new TreeMap<>();
    private final List<Measure.Metric> metricsAtEnd = new ArrayList<>();
    private final Evaluation evaluation;

    private float[] lastParameters = {};

    private TrainingRun(TrainingPlan plan, Workers workers) {
        this.plan = plan;
        this.workers = workers;
        kernels = Kernels.best(workers);
        Configuration root = plan.root();
        parameters = plan.model().draw(plan.seed());
        objective = plan.model().objective(parameters, plan.precision(), kernels);
        data = plan.data().draw();
        requireFit(root);
        if (plan.options().patience() > 0 && data.validation().isEmpty()) {
            throw root.section("stop").refusal("patience", "expected none without validation examples, got one");
        }
        plan.model().transformer().ifPresent(architecture -> {
            var measured = new Measure.Measured(architecture, plan.precision(), kernels, plan.seed());
            for (Measure measure : plan.measures()) {
                Measure.Metric metric = measure.draw(data, measured);
                if (measure.inEvaluations().isEmpty()) {
                    metricsAtEnd.add(metric);
                } else {
                    metrics.put(measure.inEvaluations(), metric);
                }
            }
        });
        var hooks = new TreeMap<String, Function<float[], SortedMap<String, Double>>>();
        metrics.forEach((kind, metric) -> hooks.put(kind, metric::measure));
        evaluation = new Evaluation(
                ExampleStream.batches(data.validation(), plan.options().batchSize()),
                ExampleStream.batches(data.test(), plan.options().batchSize()),
                hooks);
        try {
            optimizer = new Optimizer(objective.layout(), plan.optimizer(), plan.precision(), kernels);
            optimizer.start(parameters);
        } catch (IllegalArgumentException e) {
            throw root.section("optimizer").refusal("groups", e);
        }
    }

    /**
     * Reads a configuration, draws its data and initializes its model.
     *
     * @throws IllegalArgumentException if a value is not legal; the message is one line that names the place
     * @throws IOException if a file that the configuration names cannot be read
     */
    public static TrainingRun of(Configuration root) throws IOException {
        TrainingPlan plan = TrainingPlan.read(root);
        return of(plan, plan.threads());
    }

    static TrainingRun of(TrainingPlan plan, int threads) {
        Workers workers = Workers.of(threads);
        try {
            return new TrainingRun(plan, workers);
        } catch (RuntimeException | Error e) {
            workers.close();
            throw e;
        }
    }

    /** Checks that the model fits all examples of files, or else the first batch and the held-out sets. */
    private void requireFit(Configuration root) {
        List<Example> training = data.trainingSet();
        if (plan.task().dataSet() == null || training.isEmpty()) {
            training = data.training().take(plan.options().batchSize());
            data.training().seek(0);
        }
        List<Example> known = Stream.of(training, data.validation(), data.test())
                .flatMap(List::stream)
                .toList();
        boolean numbers = known.stream().anyMatch(example -> example.values().length > 0);
        boolean tokens = known.stream().anyMatch(example -> example.targets().length > 0);
        root.refuseWhen(numbers && tokens, "task", "answers that are all tokens or all numbers", "both");
        Configuration model = root.section("model");
        if ((numbers || tokens) && numbers != plan.model().isRegression()) {
            throw model.section("output")
                    .refusal(
                            "kind",
                            numbers
                                    ? "expected regression for the numbers of the task " + taskName()
                                            + ", got next-token"
                                    : "expected next-token for the tokens of the task " + taskName()
                                            + ", got regression");
        }
        IntSummaryStatistics lengths = known.stream().mapToInt(Example::length).summaryStatistics();
        int longest = lengths.getMax();
        switch (plan.model()) {
            case TrainedModel.OfTransformer(var architecture, var _)
            when longest > architecture.maxLength() ->
                throw model.refusal(
                        "max-length",
                        "expected at least " + longest + ", the length of the longest example, got "
                                + architecture.maxLength());
            case TrainedModel.OfPerceptron(var options, var _)
            when lengths.getMin() < options.length() || longest > options.length() ->
                throw model.refusal(
                        "kind",
                        "expected transformer for sequences of " + lengths.getMin() + " to " + longest
                                + " tokens, got mlp, which reads " + options.length());
            default -> {}
        }
    }

    /** The transformer with its current parameters; empty if the model is not a transformer. */
    public Optional<Parameters> transformer() {
        return plan.model().transformer().map(architecture -> new Parameters(architecture, parameters));
    }

    public int parameterCount() {
        return parameters.length;
    }

    /** Writes the current parameters and, for a transformer, the configuration of the model into a directory. */
    public void write(Path directory) throws IOException {
        plan.model().write(directory, parameters, plan.task().vocabulary());
    }

    /** The symbols for a report; for a text, the name of the table of symbols instead. */
    public Object reportedVocabulary() {
        return plan.task()
                .text()
                .<Object>map(text -> text.kind().label())
                .orElseGet(() -> plan.task().vocabulary().symbols());
    }

    public String taskName() {
        return plan.task().task().name();
    }

    public PrecisionPolicy precision() {
        return plan.precision();
    }

    public Kernels kernels() {
        return kernels;
    }

    public int steps() {
        return plan.steps();
    }

    /** The seed of all random numbers. */
    public long seed() {
        return plan.seed();
    }

    /**
     * Trains, and writes the curve and checkpoints into {@code directory}. At the end, the parameters of the best step
     * are restored.
     *
     * @param resume whether to continue from the newest intact checkpoint, if there is one
     * @param warnings receives a line for each rejected checkpoint
     * @throws IllegalArgumentException if the directory has files of a run and {@code resume} is false, or a checkpoint
     *     of another configuration, or if the data set has no training examples
     * @throws org.lemmata.train.DivergenceException if a loss, a gradient or a parameter is no longer finite; the last
     *     checkpoint remains
     */
    public TrainingResult train(Path directory, boolean resume, TrainingListener listener, Consumer<String> warnings)
            throws IOException {
        if (data.trainingSet().isEmpty() && plan.task().dataSet() != null) {
            throw plan.root().section("data").refusal("train", "expected at least 1 training example, got 0");
        }
        var training = new Training(
                objective, optimizer, data.training(), evaluation, plan.options(), listener, plan.description());
        TrainingResult result = resume ? training.resume(directory, warnings) : training.run(directory);
        lastParameters = training.lastParameters();
        return result;
    }

    /**
     * The number of words in both test set and training set. Empty if there is no test set, or if the training set does
     * not consist of distinct words of brackets.
     */
    public OptionalInt testInTraining() {
        if (data.words().isEmpty() || data.test().isEmpty()) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(data.words()
                .get()
                .begun(data.test().stream()
                        .map(example -> plan.task().bare(example.inputs()))
                        .toList()));
    }

    /** The current measurements, by kind and name. */
    public SortedMap<String, SortedMap<String, Double>> measure() throws IOException {
        return byKind(measuredAtTheEnd());
    }

    /** The measurements whose names have a dot, by their kind (the part before the dot) and by the part after it. */
    public static SortedMap<String, SortedMap<String, Double>> byKind(List<Measurement> measurements) {
        var measured = new TreeMap<String, SortedMap<String, Double>>();
        for (Measurement each : measurements) {
            int dot = each.name().indexOf('.');
            if (dot > 0) {
                measured.computeIfAbsent(each.name().substring(0, dot), kind -> new TreeMap<>())
                        .put(each.name().substring(dot + 1), each.value());
            }
        }
        return measured;
    }

    /**
     * Returns measurements bit-identical to those that a run would report if it ended now: {@code validationLoss},
     * {@code testLoss}, {@code testAccuracy} and {@code testInTraining} if they exist, and all measurements that the
     * evaluation requests, except those of {@code evaluation.last}.
     *
     * @param ofFiles whether the losses are those of each whole split of the task's files, such as {@code trainLoss}
     */
    public List<Measurement> evaluate(boolean ofFiles) throws IOException {
        var all = new ArrayList<Measurement>();
        splits(ofFiles).forEach((split, examples) -> {
            List<Batch> batches = ExampleStream.batches(examples, plan.options().batchSize());
            if (batches.stream().anyMatch(batch -> batch.scoredRows().length > 0)) {
                double loss = Evaluation.loss(objective, batches);
                all.add(Measurement.exact(split + "Loss", loss, unit(), examples.size()));
            }
        });
        all.addAll(plan.testMeasures().ofWeights(objective, evaluation.test()));
        addTestInTraining(all);
        all.addAll(measuredAtTheEnd());
        return all;
    }

    /**
     * The examples of the task's files by split, except the prefixes to complete that {@code lemmata generate} wrote.
     * Without files, or unless {@code ofFiles}, the validation and the test set.
     */
    private Map<String, List<Example>> splits(boolean ofFiles) throws IOException {
        var splits = new LinkedHashMap<String, List<Example>>();
        DataSet files = plan.task().dataSet();
        if (!ofFiles || files == null) {
            splits.put("validation", data.validation());
            splits.put("test", data.test());
            return splits;
        }
        for (String split : files.splits()) {
            if (files.task().isEmpty() || !split.equals(DataSetWriter.PREFIXES)) {
                splits.put(
                        split,
                        files.examples(split).stream()
                                .map(plan.task()::prepared)
                                .toList());
            }
        }
        return splits;
    }

    /**
     * The share of right answers in each split that has answers. The splits are those of the task's files or, without
     * files, the validation and the test set. Trivial answers are computed from the whole split "train" of the files
     * or, if there is none, for each split from this split. Without files, they are computed from the training set, or
     * from the first 1,024 training examples if the training set is not finite.
     */
    public List<SplitAnswers> answers() throws IOException {
        Map<String, List<Example>> splits = splits(true);
        List<Example> training = splits.getOrDefault("train", data.trainingSet());
        if (training.isEmpty() && plan.task().dataSet() == null) {
            data.training().seek(0);
            training = data.training().take(BASELINE);
            data.training().seek(0);
        }
        List<Example> baseline = training;
        int before = plan.task().prefixed().length;
        var rows = new ArrayList<SplitAnswers>();
        splits.forEach((split, examples) -> {
            if (examples.stream().anyMatch(example -> example.scoredPositions().length > 0)) {
                var trivial = new SplitAnswers.TrivialAnswers(baseline.isEmpty() ? examples : baseline, before);
                rows.addAll(SplitAnswers.of(
                        split,
                        examples,
                        before,
                        trivial,
                        objective,
                        plan.options().batchSize()));
            }
        });
        return rows;
    }

    /** Whether trivial answers are computed from each split because the files have no training examples. */
    public boolean lacksTrainingAnswers() {
        DataSet files = plan.task().dataSet();
        return files != null && !files.splits().contains("train");
    }

    /** Whether the evaluation requests {@link #answers}. */
    public boolean asksForAnswers() {
        return plan.testMeasures().byLength();
    }

    private void addTestInTraining(List<Measurement> all) {
        testInTraining()
                .ifPresent(words -> all.add(Measurement.exact(
                        "testInTraining", words, "words", data.test().size())));
    }

    /** The requested measurements other than {@link TrainingPlan.TestMeasures#of}. Each name begins with its kind. */
    private List<Measurement> measuredAtTheEnd() throws IOException {
        var all = new ArrayList<Measurement>();
        metrics.forEach((kind, metric) -> metric.measurements(parameters).forEach(each -> all.add(each.of(kind))));
        metricsAtEnd.forEach(metric -> all.addAll(metric.measurements(parameters)));
        if (asksForAnswers()) {
            answers().forEach(row -> all.addAll(row.measured().values()));
        }
        return all;
    }

    /** The measurements of {@link TrainingPlan.TestMeasures#of}, for a run that ended with {@code result}. */
    public List<Measurement> tested(TrainingResult result) {
        Objective last = plan.model().objective(lastParameters, plan.precision(), kernels);
        return plan.testMeasures().of(result, objective, last, evaluation.test(), unit());
    }

    private String unit() {
        return plan.model().isRegression() ? "squared error" : "nats";
    }

    List<Measurement> measurements(TrainingResult result) throws IOException {
        var all = new ArrayList<Measurement>();
        all.add(Measurement.exact("steps", (double) result.steps(), "steps", 1));
        all.add(Measurement.exact("tokens", (double) result.tokens(), "tokens", 1));
        all.add(Measurement.exact("trainLoss", result.trainLoss(), unit(), Math.round(plan.examplesOfStep())));
        all.add(Measurement.exact("bestStep", (double) result.bestStep(), "steps", 1));
        result.validationLoss()
                .ifPresent(loss -> all.add(Measurement.exact(
                        "validationLoss", loss, unit(), data.validation().size())));
        result.testLoss()
                .ifPresent(loss -> all.add(
                        Measurement.exact("testLoss", loss, unit(), data.test().size())));
        all.addAll(tested(result));
        addTestInTraining(all);
        all.addAll(measuredAtTheEnd());
        return all;
    }

    @Override
    public void close() {
        workers.close();
    }
}
