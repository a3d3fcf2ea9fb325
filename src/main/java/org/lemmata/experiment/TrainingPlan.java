package org.lemmata.experiment;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.lemmata.config.Configuration;
import org.lemmata.model.Architecture;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.train.EarlyStopping;
import org.lemmata.train.OptimizerOptions;
import org.lemmata.train.TrainingOptions;

/**
 * A training run as a configuration describes it, read and checked; nothing is drawn or computed yet.
 *
 * @param root the configuration, every key of it read
 * @param options the loop's, without a time between checkpoints
 * @param task what is learned
 * @param initialization what it starts from
 * @param architecture of the model
 * @param optimizer rule, schedule and groups
 * @param precision what is rounded
 * @param data draws the examples
 * @param measurements what is measured besides losses
 */
record TrainingPlan(
        Configuration root,
        TrainingOptions options,
        TrainingTask task,
        InitializationReader initialization,
        Architecture architecture,
        OptimizerOptions optimizer,
        PrecisionPolicy precision,
        TrainingData.Draw data,
        Measurements measurements) {

    /**
     * What is measured besides losses.
     *
     * @param completions what is completed in an evaluation
     * @param answers what questions are asked in an evaluation
     * @param contexts what is completed time and again at the end
     * @param weights what is measured of the weights at the end
     * @param testSequences what is measured on sequences of lengths of their own at the end
     * @param law what is measured of next-token probabilities at the end
     */
    record Measurements(
            Optional<DyckCompletions.Settings> completions,
            Optional<BooleanAnswers.Settings> answers,
            Optional<DyckContexts.Settings> contexts,
            WeightMeasures weights,
            TestSequences testSequences,
            LawMeasures law) {}

    /** The keys on which no bit depends. */
    static final Set<String> FREE = Set.of("threads");

    private static final int MOST_THREADS = 1024;

    /**
     * Reads a configuration.
     *
     * @throws IllegalArgumentException if something in it is not legal; the message is one line that names the place
     * @throws IOException if a file that it names cannot be read
     */
    static TrainingPlan read(Configuration root) throws IOException {
        root.integerOr("all", "threads", 1, MOST_THREADS);
        long seed = root.seed("seed");
        int steps = root.integer("steps", 1, Integer.MAX_VALUE);
        int batch = root.integer("batch", 1, Integer.MAX_VALUE);
        int accumulation = root.integer("accumulate", 1, Integer.MAX_VALUE);
        int curve = root.integer("curve", 1, Integer.MAX_VALUE);
        Configuration dataSection = root.section("data");
        TrainingTask task = TrainingTask.read(root.section("task"), dataSection.flag("start"));
        InitializationReader initialization = InitializationReader.read(root.section("initialization"));
        Configuration evaluation = root.section("evaluation");
        TestSequences testSequences = TestSequences.read(evaluation, task);
        LawMeasures law = LawMeasures.read(evaluation, task);
        TrainingData.Draw data = TrainingData.read(dataSection, task, seed);
        Optional<DyckCompletions.Settings> completions = DyckCompletions.Settings.read(evaluation, task, data);
        int before = task.prefixed().length;
        int longest = Math.max(
                Math.max(testSequences.longest(), law.longest(task)),
                completions.map(DyckCompletions.Settings::longest).orElse(0));
        Architecture architecture = ModelReader.read(
                root.section("model"),
                task.vocabulary().size(),
                task.length(),
                longest + before,
                initialization.isMaximalUpdate());
        testSequences.requireFit(evaluation, architecture, before);
        law.requireFit(evaluation, architecture, task);
        completions.ifPresent(settings -> settings.requireRoom(evaluation, architecture, before));
        OptimizerOptions optimizer = OptimizerReader.read(
                root.section("optimizer"), root.section("schedule"), steps, initialization, architecture);
        PrecisionPolicy precision = precision(root.section("precision"));
        EarlyStopping stopping = stopping(root.section("stop"));
        int checkpoint = root.section("checkpoint").integer("every", 0, Integer.MAX_VALUE);
        int every = evaluation.integer("every", 0, Integer.MAX_VALUE);
        Optional<BooleanAnswers.Settings> answers = BooleanAnswers.Settings.read(evaluation, task);
        Optional<DyckContexts.Settings> contexts = DyckContexts.Settings.read(evaluation, task, data);
        WeightMeasures weightMeasures = WeightMeasures.read(evaluation, architecture);
        root.requireAllRead();
        return new TrainingPlan(
                root,
                new TrainingOptions(
                        seed, steps, batch, accumulation, curve, every, stopping, checkpoint, Duration.ZERO),
                task,
                initialization,
                architecture,
                optimizer,
                precision,
                data,
                new Measurements(completions, answers, contexts, weightMeasures, testSequences, law));
    }

    private static PrecisionPolicy precision(Configuration section) {
        PrecisionPolicy policy = PrecisionReader.read(section);
        try {
            return policy.requireBinary32();
        } catch (IllegalArgumentException e) {
            throw section.refusal(e);
        }
    }

    private static EarlyStopping stopping(Configuration stop) {
        OptionalDouble loss = stop.positiveOrNone("loss");
        int patience = stop.integerOr("none", "patience", 1, Integer.MAX_VALUE).orElse(0);
        return new EarlyStopping(loss.orElse(0), patience);
    }

    /** The threads that the configuration asks for. */
    int threads() {
        return root.integerOr("all", "threads", 1, MOST_THREADS).orElseGet(Runtime.getRuntime()::availableProcessors);
    }

    /** What everything random follows from. */
    long seed() {
        return options.seed();
    }

    /** The steps of the optimizer, at most. */
    int steps() {
        return Math.toIntExact(options.steps());
    }

    /** What is configured, the keys left out on which no bit depends. */
    Map<String, String> description() {
        var description = new HashMap<String, String>(root.effective());
        FREE.forEach(description::remove);
        return Map.copyOf(description);
    }
}
