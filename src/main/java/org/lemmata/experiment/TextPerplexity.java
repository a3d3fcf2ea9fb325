package org.lemmata.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.lemmata.config.Configuration;
import org.lemmata.dataset.text.CountedText;
import org.lemmata.dataset.text.TextTask;
import org.lemmata.model.Backpropagation;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;

/**
 * The perplexity of a text's validation and test set, which is exp of the mean loss per token.
 * {@code perplexity.validation} and {@code perplexity.test} are the model's. {@code perplexity.unigram},
 * {@code perplexity.bigram}, {@code perplexity.testUnigram} and {@code perplexity.testBigram} are those of
 * {@link CountedText} for the training split. With two or more windows, there are 95% intervals: exp of those of the
 * mean loss over windows.
 *
 * @param text the training split
 */
record TextPerplexity(TextTask text) implements Measure {

    /** Measured for every text with a validation or test set, without a key. */
    static Optional<TextPerplexity> read(Configuration section, TrainingTask task, TrainingData.Draw data) {
        return task.text().filter(text -> data.validation() + data.test() > 0).map(TextPerplexity::new);
    }

    @Override
    public Metric draw(TrainingData data, Measured measured) {
        var counted = new CountedText(text.tokens().orElseThrow());
        var ofCounts = new ArrayList<Measurement>();
        add(ofCounts, "unigram", data.validation(), counted::unigramLoss);
        add(ofCounts, "bigram", data.validation(), counted::bigramLoss);
        add(ofCounts, "testUnigram", data.test(), counted::unigramLoss);
        add(ofCounts, "testBigram", data.test(), counted::bigramLoss);
        return parameters -> {
            var model = new Backpropagation(measured.parameters(parameters), measured.precision(), measured.kernels());
            var all = new ArrayList<Measurement>();
            add(all, "validation", data.validation(), window -> loss(model, window));
            add(all, "test", data.test(), window -> loss(model, window));
            all.addAll(ofCounts);
            return all;
        };
    }

    private static double loss(Backpropagation model, Example window) {
        return model.loss(Batch.ofExamples(List.of(window))) * window.scoredPositions().length;
    }

    private static void add(
            List<Measurement> all, String name, List<Example> windows, ToDoubleFunction<Example> sumOfLosses) {
        if (windows.isEmpty()) {
            return;
        }
        double[] tokens = windows.stream()
                .mapToDouble(window -> window.scoredPositions().length)
                .toArray();
        double[] losses = windows.stream().mapToDouble(sumOfLosses).toArray();
        double loss = DoubleStream.of(losses).sum() / DoubleStream.of(tokens).sum();
        Interval interval = windows.size() > 1 ? Interval.ratio(losses, tokens) : Interval.exact(loss);
        all.add(new Measurement(
                "perplexity." + name,
                Math.exp(loss),
                "",
                new Interval(Math.exp(interval.low()), Math.exp(interval.high())),
                windows.size(),
                null));
    }
}
