package org.lemmata.experiment;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.lemmata.config.Configuration;
import org.lemmata.model.Architecture;
import org.lemmata.model.MultilayerPerceptronOptions;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.setting.ValueType;
import org.lemmata.train.OptimizerOptions;
import org.lemmata.train.TrainingOptions;

/**
 * A training run as configured, read and checked. Nothing is drawn or computed yet.
 *
 * @param root the configuration, with all keys read
 * @param options the options of the training loop
 * @param optimizer the update rule, the schedule and the parameter groups
 * @param testMeasures the measurements on the test set, except its loss
 * @param measurements other measurements of a transformer; empty for other models
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
        Optional<Measurements> measurements) {

    record Measurements(Architecture architecture, List<Measure> measures) {}

    /** The keys that do not affect any bit of the result. */
    static final Set<String> FREE = Set.of("threads");

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
        Optional<Measurements> measurements = Optional.empty();
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
            Measurements read = measurements(root, task, data, start, precision);
            measurements = Optional.of(read);
            model = new TrainedModel.OfTransformer(read.architecture, start);
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
        if (patience > 0 && every == 0) {
            throw stop.refusal("patience", "expected none with evaluation.every = 0, got " + patience);
        }
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
                measurements);
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
            Configuration root, TrainingTask task, int longest, InitializationReader start) {
        int symbols = task.vocabulary().size();
        if (start.weights().isPresent() && !root.isGiven(MODEL)) {
            return start.weights().get().architecture(symbols, task.length(), longest);
        }
        Architecture asked =
                ModelReader.read(root.section(MODEL), symbols, task.length(), longest, start.isMaximalUpdate());
        return start.weights().map(of -> of.requireSame(asked)).orElse(asked);
    }

    private static Optional<Integer> epochs(Configuration root, TrainingData.Draw data) {
        Optional<Integer> epochs = root.unless("none", "epochs", ValueType.integer(1, Integer.MAX_VALUE));
        if (epochs.isPresent() && !data.finite()) {
            throw root.refusal("epochs", "expected none where examples are drawn online, got " + epochs.get());
        }
        if (epochs.isPresent() && root.integer("accumulate", 1, Integer.MAX_VALUE) > 1) {
            throw root.refusal("accumulate", "expected 1 with epochs, got more");
        }
        return epochs;
    }

    private static int multiply(Configuration section, String key, int epochs, int stepsOfEpoch) {
        long steps = (long) epochs * stepsOfEpoch;
        if (steps > Integer.MAX_VALUE) {
            throw section.refusal(key, "expected at most " + Integer.MAX_VALUE + " steps, got " + steps);
        }
        return (int) steps;
    }

    private static Measurements measurements(
            Configuration root,
            TrainingTask task,
            TrainingData.Draw data,
            InitializationReader start,
            PrecisionPolicy precision) {
        Configuration evaluation = root.section("evaluation");
        var measures = new ArrayList<Measure>();
        Measure.Kind.ALL.forEach(
                kind -> kind.reader().read(evaluation, task, data).ifPresent(measures::add));
        int longest = measures.stream()
                .mapToInt(measure -> measure.longest().tokens())
                .max()
                .orElse(0);
        Architecture architecture = architecture(root, task, longest, start);
        measures.forEach(measure -> measure.requireFit(evaluation, architecture, precision));
        return new Measurements(architecture, List.copyOf(measures));
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

    /** The configuration without the keys in {@link #FREE}, and the numerics version. */
    Map<String, String> description() {
        var description = new HashMap<String, String>(root.effective());
        FREE.forEach(description::remove);
        int numerics = numerics(description);
        if (numerics > 1) {
            // Older checkpoints do not have this entry, so version 1 is omitted.
            description.put("numerics", Integer.toString(numerics));
        }
        return Map.copyOf(description);
    }
}
