package org.lemmata.claim.symbol;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.optimizer.Adam;
import org.lemmata.kernel.optimizer.Sgd;
import org.lemmata.kernel.optimizer.UpdateRule;
import org.lemmata.model.MultilayerPerceptron;
import org.lemmata.model.MultilayerPerceptronOptions;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;
import org.lemmata.train.Optimizer;
import org.lemmata.train.OptimizerOptions;
import org.lemmata.train.TrainingStep;

/**
 * A drawn perceptron and how it is trained, in one pass over fresh samples (definition I.1).
 *
 * @param seen how many tokens the data has; as many as a string is long come after them that it has not
 */
record PerceptronDraw(TemplateDraw task, int seen, MultilayerPerceptronOptions options, UpdateRule rule, int batch) {

    /**
     * Draws a task of wildcards alone, and a perceptron of 1 to {@code maxLayers} layers.
     *
     * @param seen how many tokens the data has
     * @param width columns of its layers
     */
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

    /** The first of the tokens that no sample has. */
    int firstUnseen() {
        return task.regular() + seen;
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

    /** Takes the steps from {@code first} to {@code last} on fresh samples. */
    void train(TrainingStep training, int first, int last, RandomGenerator random) {
        for (int step = first; step <= last; step++) {
            training.run(List.of(batch(batch, random)), step);
        }
        training.settle();
    }

    /** Fresh samples of the data. */
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
