package org.lemmata.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.Architecture;
import org.lemmata.model.Backpropagation;
import org.lemmata.model.MultilayerPerceptron;
import org.lemmata.model.MultilayerPerceptronOptions;
import org.lemmata.model.Objective;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.Parameters;
import org.lemmata.model.file.ModelConfig;
import org.lemmata.model.file.Weights;
import org.lemmata.model.part.FlopCount;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.random.PhiloxGenerator;
import org.lemmata.random.Streams;
import org.lemmata.token.Example;
import org.lemmata.token.Vocabulary;
import org.lemmata.train.ParameterGroup;

/** A model to train: its parameters, their initial values, and its loss. */
sealed interface TrainedModel {

    /** The floating-point operations per example: {@code gradient} counts the forward and the backward pass. */
    record Cost(double forward, double gradient) {}

    /** The architecture; empty if the model is not a transformer. */
    default Optional<Architecture> transformer() {
        return this instanceof OfTransformer(var architecture, var _) ? Optional.of(architecture) : Optional.empty();
    }

    boolean isRegression();

    /**
     * Draws the initial parameters of a run.
     *
     * @throws IllegalArgumentException if the configured initialization does not fit the model
     */
    float[] draw(long seed);

    /** The loss as a function of {@code parameters}, which are read at each call. */
    Objective objective(float[] parameters, PrecisionPolicy precision, Kernels kernels);

    /** The parameter groups of the optimizer, with the factors of Adam's learning rates. */
    default List<ParameterGroup> withRateFactors(List<ParameterGroup> groups) {
        return groups;
    }

    /** The cost of an example with the mean length and the mean number of scored positions of {@code examples}. */
    Cost cost(List<Example> examples);

    void write(Path directory, float[] parameters, Vocabulary vocabulary) throws IOException;

    record OfTransformer(Architecture architecture, InitializationReader start) implements TrainedModel {

        @Override
        public boolean isRegression() {
            return architecture.output().kind() == OutputOptions.Kind.REGRESSION;
        }

        @Override
        public float[] draw(long seed) {
            return start.draw(architecture, seed).values();
        }

        @Override
        public Objective objective(float[] parameters, PrecisionPolicy precision, Kernels kernels) {
            return new Backpropagation(new Parameters(architecture, parameters), precision, kernels);
        }

        @Override
        public List<ParameterGroup> withRateFactors(List<ParameterGroup> groups) {
            return start.withRateFactors(groups, architecture);
        }

        @Override
        public Cost cost(List<Example> examples) {
            var count = new FlopCount(architecture);
            double tokens = mean(examples, Example::length);
            double pairs = mean(examples, example -> count.pairs(example.length()));
            double rows = mean(examples, example -> example.scoredPositions().length);
            return new Cost(count.forward(tokens, pairs, rows), count.gradient(tokens, pairs, rows));
        }

        private static double mean(List<Example> examples, ToDoubleFunction<Example> of) {
            return examples.stream().mapToDouble(of).average().orElse(0);
        }

        @Override
        public void write(Path directory, float[] parameters, Vocabulary vocabulary) throws IOException {
            ModelConfig.write(directory, architecture, vocabulary);
            Path file = directory.resolve(RunDirectory.WEIGHTS);
            Weights.write(file, new Parameters(architecture, parameters));
        }
    }

    /** A fully connected network. Without given weights, its initial weights are drawn from a normal distribution. */
    record OfPerceptron(MultilayerPerceptronOptions options, Optional<StartingWeights> weights)
            implements TrainedModel {

        @Override
        public boolean isRegression() {
            return true;
        }

        @Override
        public float[] draw(long seed) {
            return weights.map(StartingWeights::values)
                    .orElseGet(() -> options.draw(new PhiloxGenerator(seed, Streams.UNTRAINED, 0)));
        }

        @Override
        public Objective objective(float[] parameters, PrecisionPolicy precision, Kernels kernels) {
            return new MultilayerPerceptron(options, parameters, kernels);
        }

        @Override
        public Cost cost(List<Example> examples) {
            double width = options.width();
            double forward = options.length() * width + 2 * ((options.layers() - 1) * width + 1) * width;
            return new Cost(forward, 3 * forward);
        }

        @Override
        public void write(Path directory, float[] parameters, Vocabulary vocabulary) throws IOException {
            Weights.write(directory.resolve(RunDirectory.WEIGHTS), options, parameters);
        }
    }
}
