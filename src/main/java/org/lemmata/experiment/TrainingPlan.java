package org.lemmata.experiment;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.lemmata.config.Configuration;
import org.lemmata.model.Architecture;
import org.lemmata.model.MultilayerPerceptronOptions;
import org.lemmata.model.Objective;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.setting.Setting;
import org.lemmata.setting.ValueType;
import org.lemmata.statistic.Measurement;
import org.lemmata.token.Batch;
import org.lemmata.train.Evaluation;
import org.lemmata.train.OptimizerOptions;
import org.lemmata.train.TrainingOptions;
import org.lemmata.train.TrainingResult;

/**
 * A training run as configured, read and checked. Nothing is drawn or computed yet.
 *
 * @param root the configuration, with all keys read
 * @param options the options of the training loop
 * @param optimizer the update rule, the schedule and the parameter groups
 * @param testMeasures the measurements on the test set, except its loss
 * @param measures other measures of a transformer; empty for other models
 */
record TrainingPlan(
        Configuration root,
        TrainingOptions options,
        TrainingTask task,
        TrainedModel model,
        OptimizerOptions optimizer,
        PrecisionPolicy precision,
        TrainingData.Draw data,
        TestMeasures testMeasures,
        List<Measure> measures) {

    private static final String MODEL = "model";

    private static final int MOST_THREADS = 1024;

    static TrainingPlan read(Configuration root) throws IOException {
        return read(root, Duration.ZERO);
    }

    /** @param interval the time between checkpoints, in addition to checkpoints by steps; 0 for none */
    static TrainingPlan read(Configuration root, Duration interval) throws IOException {
        root.unless("all", "threads", ValueType.integer(1, MOST_THREADS));
        long seed = root.seed("seed");
        int batch = root.integer("batch", 1, Integer.MAX_VALUE);
        int accumulation = root.integer("accumulate", 1, Integer.MAX_VALUE);
        int curve = root.integer("curve", 1, Integer.MAX_VALUE);
        Configuration dataSection = root.section("data");
        TrainingTask task = TrainingTask.read(root.section("task"), dataSection.flag("start"));
        Configuration evaluation = root.section("evaluation");
        TrainingData.Draw data = TrainingData.read(dataSection, task, seed);
        Optional<Integer> epochs = epochs(root, data);
        int stepsOfEpoch = epochs.isPresent() ? Math.ceilDiv(data.size(), batch) : 1;
        int steps = epochs.isPresent()
                ? multiply(root, "epochs", epochs.get(), stepsOfEpoch)
                : root.integer("steps", 1, Integer.MAX_VALUE);
        var measures = new ArrayList<Measure>();
        TrainedModel model;
        PrecisionPolicy precision = PrecisionPolicy.none();
        Configuration initialization = root.section("initialization");
        Optional<StartingWeights> weights = StartingWeights.read(initialization);
        // If there is no section model, the starting weights decide.
        boolean isTransformer = (root.isGiven(MODEL) || weights.isEmpty())
                ? ModelReader.isTransformer(root.section(MODEL))
                : weights.get().isTransformer();
        if (isTransformer) {
            InitializationReader start = InitializationReader.read(initialization, weights);
            Configuration rounded = root.section("precision");
            precision = rounded.checked(PrecisionReader.read(rounded)::requireBinary32);
            Measure.Kind.ALL.forEach(
                    kind -> kind.reader().read(evaluation, task, data).ifPresent(measures::add));
            Architecture architecture = architecture(root, task, measures, start);
            for (Measure measure : measures) {
                measure.requireFit(evaluation, architecture, precision);
            }
            model = new TrainedModel.OfTransformer(architecture, start);
        } else {
            model = new TrainedModel.OfPerceptron(perceptron(root, task, weights), weights);
        }
        OptimizerOptions optimizer =
                OptimizerReader.read(root.section("optimizer"), root.section("schedule"), steps, model);
        Configuration stop = root.section("stop");
        double targetLoss = stop.unless("none", "loss", ValueType.POSITIVE).orElse(0.0);
        int patience = stop.unless("none", "patience", ValueType.integer(1, Integer.MAX_VALUE))
                .orElse(0);
        int checkpoint = root.section("checkpoint").integer("every", 0, Integer.MAX_VALUE);
        int every = multiply(evaluation, "every", evaluation.integer("every", 0, Integer.MAX_VALUE), stepsOfEpoch);
        stop.refuseWhen(patience > 0 && every == 0, "patience", "none with evaluation.every = 0", patience);
        TestMeasures testMeasures = TestMeasures.read(evaluation, data);
        root.requireAllRead();
        return new TrainingPlan(
                root,
                new TrainingOptions(
                        seed, steps, batch, accumulation, curve, every, targetLoss, patience, checkpoint, interval),
                task,
                model,
                optimizer,
                precision,
                data.inEpochs(epochs.isPresent()),
                testMeasures,
                List.copyOf(measures));
    }

    private static MultilayerPerceptronOptions perceptron(
            Configuration root, TrainingTask task, Optional<StartingWeights> weights) {
        int symbols = task.vocabulary().size();
        if (weights.isPresent() && !root.isGiven(MODEL)) {
            return weights.get().perceptron(symbols, task.length());
        }
        MultilayerPerceptronOptions asked = ModelReader.perceptron(root.section(MODEL), symbols, task.length());
        return weights.map(of -> of.requireSame(asked)).orElse(asked);
    }

    private static Architecture architecture(
            Configuration root, TrainingTask task, List<Measure> measures, InitializationReader start) {
        int symbols = task.vocabulary().size();
        int longest = measures.stream()
                .mapToInt(measure -> measure.longest().tokens())
                .max()
                .orElse(0);
        if (start.weights().isPresent() && !root.isGiven(MODEL)) {
            return start.weights().get().architecture(symbols, task.length(), longest);
        }
        Architecture asked =
                ModelReader.read(root.section(MODEL), symbols, task.length(), longest, start.isMaximalUpdate());
        return start.weights().map(of -> of.requireSame(asked)).orElse(asked);
    }

    private static Optional<Integer> epochs(Configuration root, TrainingData.Draw data) {
        Optional<Integer> epochs = root.unless("none", "epochs", ValueType.integer(1, Integer.MAX_VALUE));
        if (epochs.isPresent()) {
            root.refuseWhen(!data.finite(), "epochs", "none where examples are drawn online", epochs.get());
            boolean accumulates = root.integer("accumulate", 1, Integer.MAX_VALUE) > 1;
            root.refuseWhen(accumulates, "accumulate", "1 with epochs", "more");
        }
        return epochs;
    }

    private static int multiply(Configuration section, String key, int epochs, int stepsOfEpoch) {
        long steps = (long) epochs * stepsOfEpoch;
        section.refuseWhen(steps > Integer.MAX_VALUE, key, "at most " + Integer.MAX_VALUE + " steps", steps);
        return (int) steps;
    }

    int threads() {
        return root.unless("all", "threads", ValueType.integer(1, MOST_THREADS))
                .orElseGet(Runtime.getRuntime()::availableProcessors);
    }

    long seed() {
        return options.seed();
    }

    int steps() {
        return Math.toIntExact(options.steps());
    }

    double examplesOfStep() {
        return data.inEpochs()
                ? (double) data.size() / Math.ceilDiv(data.size(), options.batchSize())
                : (double) options.batchSize() * options.accumulation();
    }

    /**
     * The version for {@link org.lemmata.sweep.Trial#numerics}: 2 for attention without a mask or with identities,
     * because ShortHeads computes several of these heads together.
     */
    static int numerics(Map<String, String> settings) {
        boolean together = "none".equals(settings.get("model.attention.mask"))
                || "true".equals(settings.get("model.attention.identities"));
        return together ? 2 : 1;
    }

    /** The configuration without the keys in {@link TrainingRun#FREE}, and the numerics version. */
    Map<String, String> description() {
        var description = new HashMap<String, String>(root.effective());
        TrainingRun.FREE.forEach(description::remove);
        int numerics = numerics(description);
        if (numerics > 1) {
            // Older checkpoints do not have this entry, so version 1 is omitted.
            description.put("numerics", Integer.toString(numerics));
        }
        return Map.copyOf(description);
    }

    /**
     * Measurements on the test set, except the loss of the best step.
     *
     * @param accuracy whether right answers are counted
     * @param last whether the parameters of the last step are also tested, and the lowest training loss is reported
     * @param byLength whether the answers are measured by split and length ({@link SplitAnswers})
     */
    record TestMeasures(boolean accuracy, boolean last, boolean byLength) {

        static final List<Setting> KEYS = Setting.table("""
            implied accuracy | false | whether to measure `testAccuracy`, the share of right answers on the test set:
              the likeliest token is right, or the number has the sign of the value
            implied by-length | false | whether to measure losses and right answers by input length, next to trivial
              baselines, at the end: for every split of a data set, or for the drawn validation and test sets
            implied last | false | whether to measure the last step in addition to the best one: `lastTestLoss`,
              `lastTestAccuracy` (with `accuracy`) and `lowestTrainLoss`, the lowest loss of any step
            """);

        /** Reads the keys {@code accuracy}, {@code last} and {@code by-length}. */
        static TestMeasures read(Configuration section, TrainingData.Draw data) {
            boolean accuracy = section.flag("accuracy");
            section.refuseWhen(accuracy && data.test() == 0, "accuracy", "false without test examples", "true");
            return new TestMeasures(accuracy, section.flag("last"), section.flag("by-length"));
        }

        /** The number of passes over the test set at the end, including that for the loss of the best step. */
        int passes() {
            return (accuracy ? 2 : 1) * (last ? 2 : 1);
        }

        /**
         * The requested measurements.
         *
         * @param best the objective with the parameters of the best step
         * @param ended the objective with the parameters of the last step
         */
        List<Measurement> of(TrainingResult result, Objective best, Objective ended, List<Batch> test, String unit) {
            var all = new ArrayList<Measurement>(ofWeights(best, test));
            int rows = rows(test);
            if (last) {
                all.add(Measurement.exact("lowestTrainLoss", result.lowestTrainLoss(), unit, result.steps()));
            }
            if (last && !test.isEmpty()) {
                all.add(Measurement.exact("lastTestLoss", Evaluation.loss(ended, test), unit, rows));
            }
            if (last && accuracy) {
                all.add(right("lastTestAccuracy", rows, ended, test));
            }
            return all;
        }

        List<Measurement> ofWeights(Objective objective, List<Batch> test) {
            return accuracy ? List.of(right("testAccuracy", rows(test), objective, test)) : List.of();
        }

        private static int rows(List<Batch> test) {
            return test.stream().mapToInt(batch -> batch.scoredRows().length).sum();
        }

        private static Measurement right(String name, int rows, Objective objective, List<Batch> test) {
            return Measurement.share(
                    name,
                    rows,
                    test.stream()
                            .mapToInt(batch -> objective.right(batch).cardinality())
                            .sum());
        }
    }
}
