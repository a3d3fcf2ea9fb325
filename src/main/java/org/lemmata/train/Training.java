package org.lemmata.train;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.model.Objective;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.token.Batch;
import org.lemmata.train.TrainingResult.End;

/**
 * The training loop: draws examples, takes steps, and periodically evaluates the model, appends to the loss curve and
 * writes checkpoints.
 *
 * <p>With a directory, a run writes {@code curve.jsonl} ({@link TrainingListener.CurvePoint}) and {@code checkpoints}.
 * A resumed run is bit-identical to an uninterrupted run, except for times: the checkpoint has the complete state, and
 * the curve is truncated to its length at the checkpoint.
 */
public final class Training {

    private static final String CURVE = "curve.jsonl";

    public static final String CHECKPOINTS = "checkpoints";

    /** The duration in seconds of a run before its remaining time is reported. */
    private static final double WARM_SECONDS = 2;

    /** The number of first steps, slowed by just-in-time compilation, in which no remaining time is reported. */
    private static final int WARM_STEPS = 4;

    private static final String PARAMETERS = "parameters";
    private static final String BEST_PARAMETERS = "best_parameters";

    private final Objective objective;
    private final Optimizer optimizer;
    private final ExampleStream examples;
    private final Evaluation evaluation;
    private final TrainingOptions options;
    private final TrainingListener listener;
    private final Map<String, String> description;

    /** The parameters with the lowest validation loss; after a full run, the latest. Empty without validation. */
    private final float[] bestParameters;

    /**
     * @param objective the objective, with the initial parameters
     * @param optimizer a new optimizer
     * @param description other settings, by name, that must be equal for a run to be resumed
     */
    public Training(
            Objective objective,
            Optimizer optimizer,
            ExampleStream examples,
            Evaluation evaluation,
            TrainingOptions options,
            TrainingListener listener,
            Map<String, String> description) {
        boolean isBlind = options.patience() > 0 && evaluation.validation().isEmpty();
        Refuse.when(isBlind, "patience", "validation examples with it", "none");
        this.objective = objective;
        this.optimizer = optimizer;
        this.examples = examples;
        this.evaluation = evaluation;
        this.options = options;
        this.listener = listener;
        this.description = Map.copyOf(description);
        bestParameters = new float[evaluation.validation().isEmpty() ? 0 : objective.parameters().length];
    }

    /**
     * Trains without writing files.
     *
     * @throws DivergenceException if a loss, a gradient or a parameter is no longer finite
     */
    public TrainingResult run() {
        try {
            return new Run(new TrainingState(), null, null).train();
        } catch (IOException e) {
            throw new IllegalStateException("a run without files", e);
        }
    }

    /**
     * Trains from the first step, and writes the files of the run.
     *
     * @throws IllegalArgumentException if {@code directory} has files of a run
     * @throws DivergenceException if a loss, a gradient or a parameter is no longer finite; the last checkpoint stays
     */
    public TrainingResult run(Path directory) throws IOException {
        for (String name : List.of(CURVE, CHECKPOINTS)) {
            Refuse.when(
                    Files.exists(directory.resolve(name)),
                    "directory",
                    "one without a run (resume the run, or move it)",
                    directory + " with " + name);
        }
        Files.createDirectories(directory);
        try (Curve curve = new Curve(directory.resolve(CURVE))) {
            return new Run(new TrainingState(), directory.resolve(CHECKPOINTS), curve).train();
        }
    }

    /**
     * Continues from the newest intact checkpoint in {@code directory}, or from the first step if there is none.
     *
     * @param warnings receives a line for each checkpoint that is rejected
     * @throws IllegalArgumentException if the checkpoint is of a run with other settings
     * @throws IOException if there are checkpoints but none is intact, if the curve does not fit the checkpoint, or if
     *     another run uses the directory
     * @throws DivergenceException if a loss, a gradient or a parameter is no longer finite; the last checkpoint stays
     */
    public TrainingResult resume(Path directory, Consumer<String> warnings) throws IOException {
        Files.createDirectories(directory);
        try (Curve curve = new Curve(directory.resolve(CURVE))) {
            TrainingState state;
            try {
                state = restored(directory, curve, warnings);
            } catch (IOException | RuntimeException e) {
                curve.discardIfNew();
                throw e;
            }
            return new Run(state, directory.resolve(CHECKPOINTS), curve).train();
        }
    }

    /** The parameters after the last step of a run that was not stopped. The objective has the best parameters. */
    public float[] lastParameters() {
        return bestParameters.length > 0 ? bestParameters : objective.parameters();
    }

    private TrainingState restored(Path directory, Curve curve, Consumer<String> warnings) throws IOException {
        Optional<Checkpoint> checkpoint = Checkpoint.readLatest(directory.resolve(CHECKPOINTS), warnings);
        TrainingState state = new TrainingState();
        if (checkpoint.isPresent()) {
            state = TrainingState.of(checkpoint.get());
            restore(checkpoint.get());
        }
        curve.cutTo(state.curveLength, state.curveChecksum);
        return state;
    }

    /** The settings that must be equal for a run to be resumed. */
    private SortedMap<String, String> settings() {
        var settings = new TreeMap<String, String>();
        settings.put("setting.seed", Long.toString(options.seed()));
        settings.put("setting.batch_size", Integer.toString(options.batchSize()));
        settings.put("setting.accumulation", Integer.toString(options.accumulation()));
        settings.put("setting.optimizer", optimizer.options().toString());
        if (!optimizer.precision().equals(PrecisionPolicy.none())) {
            settings.put("setting.precision", optimizer.precision().toString());
        }
        description.forEach((name, value) -> settings.put("description." + name, value));
        return settings;
    }

    private Map<String, float[]> arrays() {
        Map<String, float[]> arrays = new LinkedHashMap<>();
        arrays.put(PARAMETERS, objective.parameters());
        arrays.putAll(optimizer.moments());
        if (bestParameters.length > 0) {
            arrays.put(BEST_PARAMETERS, bestParameters);
        }
        return arrays;
    }

    private void restore(Checkpoint checkpoint) {
        String of = "checkpoint of step " + checkpoint.step();
        settings().forEach((name, value) -> {
            String found = checkpoint.state().getOrDefault(name, "none");
            Refuse.when(!found.equals(value), of, name + " " + value, found);
        });
        arrays().forEach((name, array) -> {
            float[] found = checkpoint.arrays().getOrDefault(name, new float[0]);
            Refuse.when(found.length != array.length, of, array.length + " numbers of " + name, found.length);
            System.arraycopy(found, 0, array, 0, array.length);
        });
    }

    private record Mark(long step, long nanos) {}

    private final class Run {

        private final TrainingState state;
        private final @Nullable Path checkpoints;
        private final @Nullable Curve curve;

        private final TrainingStep trainingStep = new TrainingStep(objective, optimizer, options.seed());
        private final List<Batch> microBatches = new ArrayList<>();
        private final long start = System.nanoTime();
        private final long firstStep;
        private final long firstTokens;
        private final double secondsBefore;

        /** The step since which the speed is measured, for the remaining time. */
        private Mark speedSince;

        private Mark lastMark;

        /** The step of the last checkpoint; -1 without a checkpoint. */
        private long savedStep;

        private long savedNanos = start;
        private long pointTokens;
        private long pointNanos;

        Run(TrainingState state, @Nullable Path checkpoints, @Nullable Curve curve) {
            this.state = state;
            this.checkpoints = checkpoints;
            this.curve = curve;
            firstStep = state.step;
            firstTokens = state.tokens;
            speedSince = new Mark(firstStep, start);
            lastMark = speedSince;
            secondsBefore = state.seconds;
            savedStep = state.step > 0 ? state.step : -1;
        }

        TrainingResult train() throws IOException {
            examples.seek(state.position);
            if (firstStep > 0) {
                listener.resumed(secondsBefore);
            }
            state.hashes.values().forEach(this::tell);
            End end = end();
            try {
                while (end == null) {
                    takeStep();
                    addHash();
                    end = end();
                    boolean evaluated = isDue(options.evaluateEvery(), end) && !evaluation.isEmpty();
                    if (evaluated) {
                        trainingStep.settle();
                    }
                    Double validationLoss = evaluated ? validate() : null;
                    if (end == null) {
                        end = end();
                    }
                    if (evaluated || isDue(options.curveEvery(), end)) {
                        addPoint(validationLoss, evaluated);
                    }
                    if (isDue(options.checkpointEvery(), end) || isTimeToSave()) {
                        save();
                    }
                    if (end == null && listener.wantsToStop()) {
                        save();
                        return result(End.INTERRUPTED);
                    }
                }
            } catch (DivergenceException e) {
                trainingStep.settle();
                throw new DivergenceException(
                        e.step(),
                        e.getMessage()
                                + (savedStep < 0 ? "; no checkpoint" : "; the last checkpoint is of step " + savedStep),
                        e);
            }
            return result(end);
        }

        /** The reason to end the run; null if it continues. */
        private @Nullable End end() {
            if (state.trainLoss < options.targetLoss()) {
                return End.TARGET_LOSS;
            }
            if (options.patience() > 0 && state.staleEvaluations >= options.patience()) {
                return End.PATIENCE;
            }
            return state.step >= options.steps() ? End.STEPS : null;
        }

        private boolean isDue(long every, @Nullable End end) {
            return end != null || (every > 0 && state.step % every == 0);
        }

        private void takeStep() {
            long before = System.nanoTime();
            microBatches.clear();
            int tokens = 0;
            for (int i = 0; i < options.accumulation(); i++) {
                Batch batch = examples.nextBatch(options.batchSize());
                microBatches.add(batch);
                tokens += batch.ids().length;
            }
            state.trainLoss = trainingStep.run(microBatches, state.step + 1);
            state.lowestTrainLoss = Math.min(state.lowestTrainLoss, state.trainLoss);
            state.step++;
            state.tokens += tokens;
            state.position = examples.position();
            long now = System.nanoTime();
            pointTokens += tokens;
            pointNanos += now - before;
            double seconds = (now - start) * 1e-9;
            if (state.step - firstStep >= 2 * (lastMark.step - firstStep)) {
                speedSince = lastMark;
                lastMark = new Mark(state.step, now);
            }
            double stepSeconds = (now - speedSince.nanos) * 1e-9 / (state.step - speedSince.step);
            listener.stepped(new TrainingListener.Progress(
                    state.step,
                    options.steps(),
                    state.trainLoss,
                    state.tokens - firstTokens,
                    (state.tokens - firstTokens) / seconds,
                    seconds < WARM_SECONDS || state.step - firstStep < WARM_STEPS
                            ? Double.NaN
                            : (options.steps() - state.step) * stepSeconds));
        }

        private void addHash() {
            // Runs without files need no hashes. In a run of 50 steps, six hashes would take 2% of the time.
            if (checkpoints != null && TrainingState.StepHash.isDue(state.step)) {
                trainingStep.settle();
                TrainingState.StepHash hash =
                        TrainingState.StepHash.of(state.step, state.trainLoss, objective.parameters());
                state.hashes.put(state.step, hash);
                tell(hash);
            }
        }

        private void tell(TrainingState.StepHash hash) {
            listener.hashed(hash.step(), hash.loss(), hash.weights());
        }

        /** Measures the validation loss and updates the state. Returns null without validation. */
        private @Nullable Double validate() {
            if (evaluation.validation().isEmpty()) {
                return null;
            }
            double loss = Evaluation.loss(objective, evaluation.validation());
            DivergenceException.requireFinite(state.step, "validation loss", loss);
            if (loss < state.bestLoss) {
                state.bestLoss = loss;
                state.bestStep = state.step;
                state.staleEvaluations = 0;
                System.arraycopy(objective.parameters(), 0, bestParameters, 0, bestParameters.length);
            } else {
                state.staleEvaluations++;
            }
            return loss;
        }

        private void addPoint(@Nullable Double validationLoss, boolean withHooks) throws IOException {
            SortedMap<String, SortedMap<String, Double>> measured = new TreeMap<>();
            if (withHooks) {
                evaluation.hooks().forEach((name, hook) -> measured.put(name, hook.apply(objective.parameters())));
            }
            double gradientNorm = trainingStep.gradientNorm();
            DivergenceException.requireFinite(state.step, "gradient norm", gradientNorm);
            state.seconds = seconds();
            TrainingListener.CurvePoint point = new TrainingListener.CurvePoint(
                    state.step,
                    state.tokens,
                    state.trainLoss,
                    optimizer.learningRate(state.step),
                    gradientNorm,
                    validationLoss,
                    Collections.unmodifiableSortedMap(measured),
                    state.seconds,
                    pointTokens / (pointNanos * 1e-9));
            pointTokens = 0;
            pointNanos = 0;
            if (curve != null) {
                curve.append(point);
            }
            listener.measured(point);
        }

        private double seconds() {
            return secondsBefore + (System.nanoTime() - start) * 1e-9;
        }

        private boolean isTimeToSave() {
            long interval = options.checkpointInterval().toNanos();
            return checkpoints != null && interval > 0 && System.nanoTime() - savedNanos >= interval;
        }

        /**
         * Checks the parameters, because a step may make them infinite although its loss was finite. The next loss
         * would show this, but only after a checkpoint was written.
         */
        private void requireFiniteParameters() {
            DivergenceException.requireFinite(
                    state.step, "norm of the parameters", optimizer.squaredNorm(objective.parameters()));
        }

        private void save() throws IOException {
            trainingStep.settle();
            requireFiniteParameters();
            if (checkpoints == null || curve == null) {
                return;
            }
            state.curveLength = curve.force();
            state.curveChecksum = curve.checksum();
            state.seconds = seconds();
            SortedMap<String, String> known = state.toMap();
            known.putAll(settings());
            Checkpoint.write(checkpoints, new Checkpoint(state.step, known, arrays()));
            savedStep = state.step;
            savedNanos = System.nanoTime();
            listener.saved(state.step);
        }

        /**
         * The result; after it, the objective has the best parameters. If the listener stopped the run, the losses are
         * empty, and the objective keeps the last parameters.
         */
        private TrainingResult result(End end) {
            OptionalDouble validationLoss = OptionalDouble.empty();
            OptionalDouble testLoss = OptionalDouble.empty();
            boolean isOver = end != End.INTERRUPTED;
            if (isOver && bestParameters.length > 0 && state.bestStep > 0) {
                validationLoss = OptionalDouble.of(state.bestLoss);
                float[] last = objective.parameters().clone();
                System.arraycopy(bestParameters, 0, objective.parameters(), 0, bestParameters.length);
                System.arraycopy(last, 0, bestParameters, 0, last.length);
            }
            if (isOver && !evaluation.test().isEmpty()) {
                testLoss = OptionalDouble.of(Evaluation.loss(objective, evaluation.test()));
            }
            return new TrainingResult(
                    state.step,
                    state.tokens,
                    end,
                    state.trainLoss,
                    state.lowestTrainLoss,
                    isOver && bestParameters.length == 0 ? state.step : state.bestStep,
                    validationLoss,
                    testLoss,
                    seconds());
        }
    }
}
