package org.lemmata.experiment;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.lemmata.config.Configuration;
import org.lemmata.kernel.Kernels;
import org.lemmata.measure.SequenceLoss;
import org.lemmata.model.Architecture;
import org.lemmata.model.Backpropagation;
import org.lemmata.model.Parameters;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.model.Transformer;
import org.lemmata.random.PhiloxGenerator;
import org.lemmata.statistic.Measurement;
import org.lemmata.task.Task;
import org.lemmata.token.Example;
import org.lemmata.train.Evaluation;
import org.lemmata.train.Optimizer;
import org.lemmata.train.Training;
import org.lemmata.train.TrainingListener;
import org.lemmata.train.TrainingResult;

/**
 * A cell of a length-generalization sweep. A model is trained on lengths up to a maximum (for words of brackets, only
 * on the maximum), and its mean loss is measured on new sequences of another length. The cell has the bits of a
 * training run with the same settings, but writes no files.
 *
 * <p>The model is from Izzo, Nichani and Lee (2025), appendix B: one layer of one head, width 16, 256 hidden units,
 * muP, Adam. SimpleTask has the link sin z; ModPTask has the period 5 and positions of this period. Words of brackets
 * are not in the paper; for them, the output is the next token.
 */
final class LengthGeneralizationCell {

    private static final String SETTINGS = """
        seed: 1
        threads: 1
        curve: 1000000
        model:
          width: 16
          layers: 1
          positions: {kind: none}
          attention: {heads: 1, biases: false}
          feed-forward: {hidden: 256, activation: relu}
          normalization: {placement: none}
          output: {kind: regression}
        initialization: {kind: mu-p}
        optimizer:
          kind: adam
          learning-rate: 1e-2
          groups:
            - {match: "layer.*.second", learning-rate: 6.25e-4}
        data: {validation: 0, test: 0}
        evaluation: {every: 0}
        """;

    /** The number of steps whose losses are compared with losses of the scalar kernels. */
    private static final int COMPARED_STEPS = 3;

    /** The number of sequences whose losses are compared with binary64. */
    private static final int COMPARED_SEQUENCES = 4;

    /** Maximum relative difference from the loss of the scalar kernels. */
    private static final double MAX_STEP_ERROR = 1e-4;

    /**
     * Maximum difference of a loss from binary64, as absolute plus relative error. For words of 2,560 brackets after
     * 500 steps, the error of binary32 is 4e-5, both with scalar and with vector kernels.
     */
    private static final double MAX_LOSS_ERROR = 2e-4;

    /** Maximum error of a number that a regression model outputs. */
    private static final double MAX_ANSWER_ERROR = 1e-5;

    /** The number of the stream of random numbers for the sequences of {@link #check}. */
    private static final int STREAM = -200;

    private final TrainingPlan plan;
    private final int testLength;

    /**
     * The result of a cell.
     *
     * @param trainTokens tokens that training read
     * @param trainSeconds time of training, including the drawing of tokens
     * @param testTokens tokens whose loss was measured
     * @param testSeconds time of measuring, including the drawing of tokens
     * @param testLoss mean over the sequences of the squared error, or of nats per token
     * @param parameters the trained parameters
     */
    record Outcome(
            double trainTokens,
            double trainSeconds,
            double testTokens,
            double testSeconds,
            double testLoss,
            Parameters parameters) {}

    private LengthGeneralizationCell(TrainingPlan plan, int testLength) {
        this.plan = plan;
        this.testLength = testLength;
    }

    /**
     * @param trainLength even for words of brackets, and at least 5 for ModPTask
     * @param batch sequences per step
     * @param sequences number of sequences on which the loss is measured
     */
    static LengthGeneralizationCell of(
            String task, int trainLength, int testLength, int steps, int batch, int sequences) throws IOException {
        List<String> ofTask = switch (task) {
            case "simple-task" -> List.of("task.settings.length=" + trainLength);
            case "mod-p-task" ->
                List.of(
                        "task.settings.period=5",
                        "task.settings.length=" + trainLength,
                        "model.positions.kind=periodic",
                        "model.positions.period=5");
            case "dyck-words" -> List.of("task.settings.N=" + trainLength / 2, "model.output.kind=next-token");
            default ->
                throw new IllegalArgumentException("task: expected simple-task, mod-p-task or dyck-words, got " + task);
        };
        var overrides = new ArrayList<String>(ofTask);
        overrides.add("task.name=" + task);
        overrides.add("steps=" + steps);
        overrides.add("batch=" + batch);
        overrides.add("evaluation.lengths=[" + testLength + "]");
        overrides.add("evaluation.sequences=" + sequences);
        var root = Configuration.overridden(
                Configuration.document("cell", SETTINGS, TrainingSections.TRAINING), overrides);
        return new LengthGeneralizationCell(
                TrainingPlan.read(Configuration.ofOverridden(root, TrainingSections.TRAINING)), testLength);
    }

    Outcome run(Kernels kernels) {
        var measured = new Measure.Measured(architecture(), plan.precision(), kernels, plan.seed());
        Measure.Metric metric = plan.measures().getFirst().draw(plan.data().draw(), measured);
        long start = System.nanoTime();
        Parameters parameters = start();
        TrainingResult result = train(parameters, kernels, new TrainingListener() {});
        long between = System.nanoTime();
        Measurement loss = metric.measurements(parameters.values()).stream()
                .filter(measurement -> measurement.name().equals("lengths." + testLength))
                .findFirst()
                .orElseThrow();
        long end = System.nanoTime();
        return new Outcome(
                (double) result.tokens(),
                (between - start) * 1e-9,
                (double) loss.n() * testLength,
                (end - between) * 1e-9,
                loss.value(),
                parameters);
    }

    private Parameters start() {
        return new Parameters(architecture(), plan.model().draw(plan.seed()));
    }

    private Architecture architecture() {
        return plan.model().transformer().orElseThrow();
    }

    private TrainingResult train(Parameters parameters, Kernels kernels, TrainingListener listener) {
        var optimizer = new Optimizer(architecture().layout(), plan.optimizer(), plan.precision(), kernels);
        optimizer.start(parameters.values());
        return new Training(
                        new Backpropagation(parameters, plan.precision(), kernels),
                        optimizer,
                        plan.data().draw().training(),
                        new Evaluation(List.of(), List.of(), new TreeMap<>()),
                        plan.options(),
                        listener,
                        Map.of())
                .run();
    }

    /**
     * Checks the timed code. The losses of the first steps, which a wrong gradient would change, are compared with
     * those of the scalar kernels. The losses of the trained parameters on a few sequences of the test length are
     * compared with binary64.
     *
     * @param trained the trained parameters of this cell
     * @throws IllegalStateException if a loss differs too much
     */
    void check(Kernels kernels, Parameters trained) {
        double[] expected = firstLosses(Kernels.scalar());
        double[] found = firstLosses(kernels);
        for (int step = 0; step < COMPARED_STEPS; step++) {
            require("loss of step " + (step + 1), expected[step], found[step], MAX_STEP_ERROR * expected[step]);
        }
        Task task = plan.task().task().ofLength(testLength).orElseThrow();
        List<Example> examples = IntStream.range(0, COMPARED_SEQUENCES)
                .mapToObj(i -> task.sample(new PhiloxGenerator(plan.seed(), STREAM, i), testLength))
                .toList();
        double[] exact = SequenceLoss.of(new ReferenceTransformer(trained.widen()), examples);
        double[] measured = SequenceLoss.of(new Transformer(trained, plan.precision(), kernels), examples);
        for (int i = 0; i < exact.length; i++) {
            if (plan.model().isRegression()) {
                // Compares the errors themselves, because their squares are far below 1.
                require("error of an answer", Math.sqrt(exact[i]), Math.sqrt(measured[i]), MAX_ANSWER_ERROR);
            } else {
                require("loss of a sequence", exact[i], measured[i], MAX_LOSS_ERROR * (1 + exact[i]));
            }
        }
    }

    private double[] firstLosses(Kernels kernels) {
        double[] losses = new double[COMPARED_STEPS];
        train(start(), kernels, new TrainingListener() {
            private boolean done;

            @Override
            public void stepped(TrainingListener.Progress progress) {
                losses[(int) progress.step() - 1] = progress.trainLoss();
                done = progress.step() == COMPARED_STEPS;
            }

            @Override
            public boolean wantsToStop() {
                return done;
            }
        });
        return losses;
    }

    private static void require(String what, double expected, double found, double tolerance) {
        if (!(Math.abs(found - expected) <= tolerance)) {
            throw new IllegalStateException(what + ": expected " + expected + ", got " + found);
        }
    }
}
