package org.lemmata.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.lemmata.config.Configuration;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.model.Architecture;
import org.lemmata.model.Backpropagation;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.Parameters;
import org.lemmata.model.PrecisionPolicy;
import org.lemmata.token.Vocabulary;
import org.lemmata.train.EarlyStopping;
import org.lemmata.train.Evaluation;
import org.lemmata.train.EvaluationHook;
import org.lemmata.train.ExampleStream;
import org.lemmata.train.Optimizer;
import org.lemmata.train.OptimizerOptions;
import org.lemmata.train.Training;
import org.lemmata.train.TrainingListener;
import org.lemmata.train.TrainingOptions;
import org.lemmata.train.TrainingResult;

/**
 * A training run as a configuration describes it: the same configuration gives the same bits, for any number of
 * threads.
 *
 * <p>It is made whole before it is started, so that whatever is wrong with the configuration is said before anything is
 * written.
 */
public final class TrainingRun implements AutoCloseable {

    /** The keys on which no bit depends: a run may be resumed with others. */
    public static final Set<String> FREE = Set.of("threads");

    private static final String COMPLETIONS = "completions";
    private static final int MOST_THREADS = 1024;

    private final Workers workers;
    private final Kernels kernels;
    private final TrainingTask task;
    private final TrainingData data;
    private final Parameters parameters;
    private final PrecisionPolicy precision;
    private final Optimizer optimizer;
    private final Evaluation evaluation;
    private final TrainingOptions options;

    /** What is configured, the keys left out on which no bit depends. */
    private final Map<String, String> description;

    private TrainingRun(Configuration root, Workers workers) throws IOException {
        this.workers = workers;
        kernels = Kernels.best(workers);
        long seed = root.seed("seed");
        int steps = root.integer("steps", 1, Integer.MAX_VALUE);
        int batch = root.integer("batch", 1, Integer.MAX_VALUE);
        int accumulate = root.integer("accumulate", 1, Integer.MAX_VALUE);
        int curve = root.integer("curve", 1, Integer.MAX_VALUE);
        Configuration dataSection = root.section("data");
        task = TrainingTask.read(root.section("task"), dataSection.flag("start"));
        InitializationReader start = InitializationReader.read(root.section("initialization"));
        Configuration model = root.section("model");
        Architecture architecture =
                ModelReader.read(model, task.vocabulary().size(), task.length(), start.isMaximalUpdate());
        parameters = start.draw(root.section("initialization"), architecture, seed);
        OptimizerOptions optimizerOptions = OptimizerReader.read(
                root.section("optimizer"), root.section("schedule"), steps, start, architecture);
        precision = precision(root.section("precision"));
        EarlyStopping stopping = stopping(root.section("stop"));
        int checkpoint = root.section("checkpoint").integer("every", 0, Integer.MAX_VALUE);
        data = TrainingData.read(dataSection, task, seed);
        requireAnswers(model, architecture);
        if (stopping.patience() > 0 && data.validation().isEmpty()) {
            throw root.section("stop").refusal("patience", "expected none without validation examples, got one");
        }
        Configuration evaluated = root.section("evaluation");
        int every = evaluated.integer("every", 0, Integer.MAX_VALUE);
        SortedMap<String, EvaluationHook> hooks = new TreeMap<>();
        DyckCompletions completions = DyckCompletions.read(evaluated, task, data, architecture, precision, kernels, seed);
        if (completions != null) {
            hooks.put(COMPLETIONS, completions);
        }
        root.requireAllRead();
        description = new HashMap<>(root.effective());
        FREE.forEach(description::remove);
        evaluation = new Evaluation(
                ExampleStream.batches(data.validation(), batch), ExampleStream.batches(data.test(), batch), hooks);
        options = new TrainingOptions(
                seed, steps, batch, accumulate, curve, every, stopping, checkpoint, Duration.ZERO);
        try {
            optimizer = new Optimizer(architecture.layout(), optimizerOptions, precision, kernels);
            optimizer.start(parameters.values());
        } catch (IllegalArgumentException e) {
            throw root.section("optimizer").refusal("groups", e.getMessage());
        }
    }

    /**
     * Reads a configuration, draws its data and initializes its model.
     *
     * @throws IllegalArgumentException if something in it is not legal; the message is one line that names the place
     * @throws IOException if a file that it names cannot be read
     */
    public static TrainingRun of(Configuration root) throws IOException {
        int threads = root.integerOr("all", "threads", 1, MOST_THREADS)
                .orElseGet(Runtime.getRuntime()::availableProcessors);
        Workers workers = Workers.of(threads);
        try {
            return new TrainingRun(root, workers);
        } catch (IllegalArgumentException | IOException e) {
            workers.close();
            throw e;
        }
    }

    private static PrecisionPolicy precision(Configuration section) {
        PrecisionPolicy policy = PrecisionReader.read(section);
        try {
            return policy.requireBinary32();
        } catch (IllegalArgumentException e) {
            throw section.refusal(e.getMessage());
        }
    }

    private void requireAnswers(Configuration model, Architecture architecture) {
        boolean numbers = data.training().next().values().length > 0;
        data.training().seek(0);
        if (numbers != (architecture.output().kind() == OutputOptions.Kind.REGRESSION)) {
            throw model.section("output").refusal(
                    "kind",
                    numbers
                            ? "expected regression for the numbers of the task " + taskName() + ", got next-token"
                            : "expected next-token for the tokens of the task " + taskName() + ", got regression");
        }
    }

    private static EarlyStopping stopping(Configuration stop) {
        OptionalDouble loss = stop.positiveOrNone("loss");
        int patience = stop.integerOr("none", "patience", 1, Integer.MAX_VALUE).orElse(0);
        return new EarlyStopping(loss.orElse(0), patience);
    }

    /** The model, with the parameters that the run has come to. */
    public Parameters parameters() {
        return parameters;
    }

    /** The symbols of the model's tokens. */
    public Vocabulary vocabulary() {
        return task.vocabulary();
    }

    /** The name of the task. */
    public String taskName() {
        return task.task().name();
    }

    /** What is rounded. */
    public PrecisionPolicy precision() {
        return precision;
    }

    public Kernels kernels() {
        return kernels;
    }

    public TrainingOptions options() {
        return options;
    }

    /**
     * Trains, and leaves curve and checkpoints in {@code directory}; {@link #parameters} are then those of the best
     * step.
     *
     * @param resume whether to go on from the newest whole checkpoint there, if there is one
     * @param warnings takes a line for each checkpoint that is refused
     * @throws IllegalArgumentException if a run has left files in the directory and is not to be resumed, or its
     *     checkpoint is of another configuration
     * @throws org.lemmata.train.DivergenceException if a loss or a parameter is no longer finite; the last checkpoint
     *     stays
     */
    public TrainingResult train(Path directory, boolean resume, TrainingListener listener, Consumer<String> warnings)
            throws IOException {
        var objective = new Backpropagation(parameters, precision, kernels);
        var training = new Training(objective, optimizer, data.training(), evaluation, options, listener, description);
        return resume ? training.resume(directory, warnings) : training.run(directory);
    }

    /** What the hooks measure of the parameters as they are, by hook and name. */
    public SortedMap<String, SortedMap<String, Double>> measure() {
        var measured = new TreeMap<String, SortedMap<String, Double>>();
        evaluation.hooks().forEach((name, hook) -> measured.put(name, hook.measure(parameters.values())));
        return measured;
    }

    @Override
    public void close() {
        workers.close();
    }
}
