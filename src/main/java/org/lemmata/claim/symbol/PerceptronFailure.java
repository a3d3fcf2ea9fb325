package org.lemmata.claim.symbol;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Outcome;
import org.lemmata.claim.Tally;
import org.lemmata.claim.TrivialAnswer;
import org.lemmata.claim.Verdict;
import org.lemmata.construct.symbol.KernelRidgeRegression;
import org.lemmata.construct.symbol.TemplateMatrix;
import org.lemmata.construct.symbol.TokenSymmetricKernel;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.optimizer.Adam;
import org.lemmata.kernel.optimizer.Sgd;
import org.lemmata.kernel.optimizer.UpdateRule;
import org.lemmata.model.MultilayerPerceptron;
import org.lemmata.model.MultilayerPerceptronOptions;
import org.lemmata.model.ParameterView;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.statistic.Measurement.Reference;
import org.lemmata.statistic.Measurement.Relation;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;
import org.lemmata.train.Optimizer;
import org.lemmata.train.OptimizerOptions;
import org.lemmata.train.TrainingStep;

/**
 * Boix-Adsera et al. (2024), appendix I: trained perceptrons fail on unseen symbols, on any training task, and the
 * matrix N of their kernels has rank 1. As a control, the perceptrons must learn their training task.
 */
final class PerceptronFailure {

    private static final long SEED = 92_000;
    private static final int SEEN = 6;
    private static final int WIDTH = 32;
    private static final int SEEDS = 12;

    /** The lower bound of the error: (f*(z) - f*(z'))² / 4 for the labels -1 and 1. */
    private static final double LEAST = 1;

    /** The maximum error of the control. Any constant answer has a larger mean error over both templates. */
    private static final double LEARNED = 0.5;

    static final ComputedClaim TRAINED = ComputedClaim.asStated(
                    "symbol.theorem-i2", "theorem I.2 and remark I.5", """
                        Let a multilayer perceptron that reads one-hot tokens start from i.i.d. random weights in each
                        layer, and be trained by any number of steps of SGD or Adam on templates that consist of
                        wildcards only. For at least one of two templates z and z' with different labels f*, its mean
                        square error on a string of unseen symbols, over initial weights and training samples, is at
                        least a constant. Read as: for the labels -1 and 1, it is at least (f*(z) - f*(z'))² / 4 =
                        """ + LEAST + ", which the proof gives.")
            .byBudget("seeds | 1..100000 | draws", "4", "20")
            .byBudget("steps | 2..100000 | of training", "100", "1000")
            .range("""
                {seeds} draws of two templates, 1 or 2 layers of %s columns, activation and rule, %s seeds each, %s
                seen tokens; after half and all of {steps} steps of 32
                """.formatted(WIDTH, SEEDS, SEEN))
            .test((scope, computation) ->
                    check(scope.integer("seeds"), scope.integer("steps"), LEAST, computation.kernels()));

    static final ComputedClaim KERNEL = ComputedClaim.asStated("symbol.theorem-i2.kernel", "remark I.6", """
        A perceptron's kernel depends only on the number of positions at which two strings have the same token. For
        templates that consist of wildcards only, all entries of its template matrix N are therefore equal, so N is
        singular. Kernel ridge regression with this kernel gives the same answer to all strings of unseen symbols. Read
        as: this holds for any kernel that depends only on that number; no perceptron's kernel is computed.
        """)
            .byBudget("seeds | 1..100000 | draws", "20", "100")
            .byBudget("n | 4..2000 | samples", "64", "256")
            .range("{seeds} draws of templates and of a cosine of the share of alike positions, {n} samples over 32"
                    + " tokens")
            .test((scope, computation) -> checkKernel(scope.integer("seeds"), scope.integer("n"), 0));

    static Finding checkKernel(int draws, int n, double weight) {
        var tally = new Tally();
        double distance = 0;
        double spread = 0;
        for (int draw = 0; draw < draws; draw++) {
            RandomGenerator random = Tally.random(SEED + draw);
            int length = random.nextInt(2, 4);
            TemplateDraw task = TemplateDraw.of(2, length, 0, random).withoutEnd();
            var kernel = TokenSymmetricKernel.incidence(weight).linked(KernelDraw.ANY.link(random));
            TemplateMatrix matrix = TemplateMatrix.of(kernel, task.templates());
            TemplateDraw.Samples samples = task.samples(n, 32, 0.1, random);
            var regression = KernelRidgeRegression.fit(kernel, samples.strings(), samples.labels(), 0.1);
            double[] answers = IntStream.range(0, 2)
                    .mapToDouble(t -> regression.predict(task.unseen(t, 32)))
                    .toArray();
            distance = Math.max(distance, matrix.distance(0, 1));
            spread = Math.max(spread, Math.abs(answers[0] - answers[1]));
        }
        tally.requireAtMost("maximum N_11 + N_22 - 2 N_12", distance, "", draws, 0);
        tally.requireAtMost("maximum difference of the answers to two unseen strings", spread, "", draws, 1e-12);
        return tally.finding("all entries of N are equal, and so are the answers", SEED, SEED + draws - 1);
    }

    /**
     * The errors of one perceptron.
     *
     * @param unseen the squared error on an unseen string of each template, after half of the steps and after all steps
     * @param loss the mean squared error on fresh samples of seen symbols
     */
    // Only this class uses the arrays.
    @SuppressWarnings("ArrayRecordComponent")
    private record Run(double[][] unseen, double loss) {}

    static Finding check(int draws, int steps, double least, Kernels kernels) {
        var tally = new Tally();
        List<Interval> errors = new ArrayList<>();
        double learned = 0;
        for (int draw = 0; draw < draws; draw++) {
            PerceptronDraw perceptron = PerceptronDraw.of(SEEN, WIDTH, 2, Tally.random(SEED + draw));
            long first = SEED + 1_000 + (long) draw * SEEDS;
            Run[] runs = new Run[SEEDS];
            kernels.workers().run(SEEDS, s -> runs[s] = run(perceptron, steps, Tally.random(first + s), kernels));
            for (int half = 0; half < 2; half++) {
                int at = half;
                Interval error = IntStream.range(0, 2)
                        .mapToObj(t -> Interval.mean(Arrays.stream(runs)
                                .mapToDouble(run -> run.unseen[at][t])
                                .toArray()))
                        .max(Comparator.comparingDouble(Interval::middle))
                        .orElseThrow();
                tally.require(
                        error.high() >= least,
                        () -> perceptron + ", half " + at + " of the steps: mean square errors only up to " + error);
                errors.add(error);
            }
            Interval loss =
                    Interval.mean(Arrays.stream(runs).mapToDouble(Run::loss).toArray());
            learned = Math.max(learned, loss.high());
        }
        long n = (long) draws * SEEDS;
        Interval smallest = errors.stream()
                .min(Comparator.comparingDouble(Interval::middle))
                .orElseThrow();
        tally.measure(Measurement.middle(
                "least of the greater mean square error on unseen symbols",
                "",
                smallest,
                2 * n,
                new Reference(Relation.AT_LEAST, least)));
        tally.measure("maximum upper end of the mean square error on seen symbols, after training", learned, "", n);
        long last = SEED + 1_000 + n - 1;
        Finding finding = learned < LEARNED
                ? tally.finding(
                        "on one of the two templates the error is at least that of a constant answer", SEED, last)
                : tally.finding(
                        new Verdict(
                                Outcome.INCONCLUSIVE,
                                "a perceptron has not learned the seen symbols: its mean square error is up to "
                                        + learned),
                        SEED,
                        last);
        return finding.beside(new TrivialAnswer("0, of two templates with labels -1 and 1, mean square error", LEAST));
    }

    private static Run run(PerceptronDraw draw, int steps, RandomGenerator random, Kernels kernels) {
        MultilayerPerceptron perceptron = draw.perceptron(draw.options().draw(random), kernels);
        TrainingStep training = draw.training(perceptron, kernels);
        draw.train(training, 1, steps / 2, random);
        double[] half = errors(draw, perceptron);
        draw.train(training, steps / 2 + 1, steps, random);
        return new Run(new double[][] {half, errors(draw, perceptron)}, perceptron.loss(draw.batch(200, random)));
    }

    private static double[] errors(PerceptronDraw draw, MultilayerPerceptron perceptron) {
        float[] answers = perceptron.outputs(
                Batch.of(List.of(draw.task().unseen(0, SEEN), draw.task().unseen(1, SEEN))));
        return IntStream.range(0, 2)
                .mapToDouble(t -> Math.pow(answers[t] - draw.task().labels()[t], 2))
                .toArray();
    }

    /**
     * A random perceptron and its training, in one pass over fresh samples (definition I.1).
     *
     * @param seen the number of tokens in the data. Unseen tokens follow them, one per position of a string
     */
    record PerceptronDraw(
            TemplateDraw task, int seen, MultilayerPerceptronOptions options, UpdateRule rule, int batch) {

        /** Draws a task with two templates of wildcards, and a perceptron of 1 to {@code maxLayers} layers. */
        static PerceptronDraw of(int seen, int width, int maxLayers, RandomGenerator random) {
            int length = random.nextInt(2, 4);
            TemplateDraw task = TemplateDraw.of(2, length, 0, random).withoutEnd();
            Activation.Kind[] kinds = {Activation.Kind.RELU, Activation.Kind.GELU};
            var options = new MultilayerPerceptronOptions(
                    task.regular() + seen + length,
                    length,
                    width,
                    random.nextInt(1, maxLayers + 1),
                    kinds[random.nextInt(kinds.length)]);
            UpdateRule rule = random.nextBoolean()
                    ? new Sgd(random.nextDouble(0.02, 0.1), 0, false, 0)
                    : new Adam(random.nextDouble(0.005, 0.02), 0.9, 0.999, 1e-8, 0);
            return new PerceptronDraw(task, seen, options, rule, 32);
        }

        MultilayerPerceptron perceptron(float[] parameters, Kernels kernels) {
            return new MultilayerPerceptron(options, parameters, kernels);
        }

        TrainingStep training(MultilayerPerceptron perceptron, Kernels kernels) {
            return new TrainingStep(
                    perceptron,
                    new Optimizer(perceptron.layout(), OptimizerOptions.of(rule), PrecisionPolicy.none(), kernels),
                    0);
        }

        void train(TrainingStep training, int first, int last, RandomGenerator random) {
            for (int step = first; step <= last; step++) {
                training.run(List.of(batch(batch, random)), step);
            }
            training.settle();
        }

        Batch batch(int size, RandomGenerator random) {
            return Batch.ofExamples(IntStream.range(0, size)
                    .mapToObj(i -> {
                        int template = random.nextInt(task.templates().size());
                        int[] string = task.string(template, task.regular(), seen, random);
                        return Example.regression(string, (float) task.labels()[template]);
                    })
                    .toList());
        }
    }

    private static final long SEED_OF_PERMUTED = 97_000;

    /**
     * Lemma I.7, tested by the coupling in its proof. Exchanging the rows of W_1 that belong to two unseen strings does
     * not change the distribution of W_1. After training with exchanged rows, the answer to the second string has the
     * same bits as the answer to the first string without the exchange. Both answers therefore have the same
     * distribution and the same mean.
     */
    static final ComputedClaim PERMUTED = ComputedClaim.asStated("symbol.lemma-i7", "lemma I.7", """
        For any two strings of unseen tokens, any number of steps and any learning rates, a trained perceptron's answers
        to the two strings have the same mean over its i.i.d. random initial weights. Read as: before training,
        exchange the rows of the first weight matrix for the tokens of one string with those for the other. The answer
        to the second string is then, bit by bit, what the answer to the first string is without the exchange. The
        matrix is equally likely with the exchange and without it.
        """)
            .byBudget("seeds | 1..100000 | draws", "50", "600")
            .byBudget("steps | 1..100000 | of training, at most", "60", "200")
            .range("""
                {seeds} draws of a task, two strings, 1 to 3 layers of 2 to 33 columns, activation, SGD or Adam, rate
                and weights; up to {steps} steps of 32
                """)
            .test((scope, computation) ->
                    checkPermuted(scope.integer("seeds"), scope.integer("steps"), false, computation.kernels()));

    /** @param seen whether the strings consist of tokens of the data; the lemma does not cover this case */
    static Finding checkPermuted(int draws, int maxSteps, boolean seen, Kernels kernels) {
        var tally = new Tally();
        int different = 0;
        double apart = 0;
        for (int draw = 0; draw < draws; draw++) {
            RandomGenerator random = Tally.random(SEED_OF_PERMUTED + draw);
            PerceptronDraw perceptron = PerceptronDraw.of(5, random.nextInt(2, 34), 3, random);
            int steps = random.nextInt(1, maxSteps + 1);
            int from = perceptron.task().regular() + (seen ? 0 : perceptron.seen());
            int length = perceptron.options().length();
            int[] x = random.ints(length, from, from + length).toArray();
            int[] y = random.ints(length, from, from + length).toArray();
            float[] answers = coupled(perceptron, steps, x, y, SEED_OF_PERMUTED + draw, kernels);
            boolean same = Float.floatToRawIntBits(answers[0]) == Float.floatToRawIntBits(answers[1]);
            tally.require(same, () -> perceptron + ", " + steps + " steps: " + answers[0] + " and " + answers[1]);
            different += same ? 0 : 1;
            apart = Math.max(apart, Math.abs((double) answers[0] - answers[2]));
        }
        tally.atMost("draws whose answers are not the same bits", different, "draws", draws, 0);
        tally.measure("maximum difference of the answers to both strings by the same weights", apart, "", draws);
        return tally.finding("exchanged rows exchange the answers", SEED_OF_PERMUTED, SEED_OF_PERMUTED + draws - 1);
    }

    /** The answer to x, the answer to y with exchanged rows, and the answer to y without exchange. */
    private static float[] coupled(PerceptronDraw draw, int steps, int[] x, int[] y, long seed, Kernels kernels) {
        float[] parameters = draw.options().draw(Tally.random(seed));
        float[] exchanged = parameters.clone();
        ParameterView first = draw.options().layout().getFirst();
        for (int t = 0; t < x.length; t++) {
            int width = first.columns();
            int ofX = first.offset() + (t * draw.options().vocabularySize() + x[t]) * width;
            int ofY = first.offset() + (t * draw.options().vocabularySize() + y[t]) * width;
            System.arraycopy(parameters, ofX, exchanged, ofY, width);
            System.arraycopy(parameters, ofY, exchanged, ofX, width);
        }
        float[] answers = answers(draw, parameters, steps, x, y, seed, kernels);
        return new float[] {answers[0], answers(draw, exchanged, steps, x, y, seed, kernels)[1], answers[1]};
    }

    private static float[] answers(
            PerceptronDraw draw, float[] parameters, int steps, int[] x, int[] y, long seed, Kernels kernels) {
        MultilayerPerceptron perceptron = draw.perceptron(parameters, kernels);
        draw.train(draw.training(perceptron, kernels), 1, steps, Tally.random(seed + 1));
        return perceptron.outputs(Batch.of(List.of(x, y)));
    }
}
