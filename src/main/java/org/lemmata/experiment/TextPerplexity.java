package org.lemmata.experiment;

import java.util.List;
import java.util.Optional;
import org.lemmata.config.Configuration;
import org.lemmata.dataset.text.CountedText;
import org.lemmata.dataset.text.TextTask;
import org.lemmata.model.Backpropagation;
import org.lemmata.statistic.Measurement;
import org.lemmata.train.Evaluation;
import org.lemmata.train.ExampleStream;

/**
 * The perplexity of a text's validation set, exp of the mean loss of its tokens: {@code perplexity.validation} of the
 * model, and {@code perplexity.unigram} and {@code perplexity.bigram} of {@link CountedText} on the training split.
 *
 * @param text the training split
 */
record TextPerplexity(TextTask text) implements Measure {

    /** Tokens of a forward pass, except for a longer window. */
    private static final int MOST_TOKENS = 1 << 12;

    /** Of every text with a validation set; no key asks for it. */
    static Optional<TextPerplexity> read(Configuration section, TrainingTask task, TrainingData.Draw data) {
        return task.text().filter(text -> data.validation() > 0).map(TextPerplexity::new);
    }

    @Override
    public Metric draw(TrainingData data, Measured measured) {
        int batch = Math.max(1, MOST_TOKENS / text.defaultLength());
        var counted = new CountedText(text.tokens().orElseThrow());
        double unigram = counted.unigramLoss(data.validation());
        double bigram = counted.bigramLoss(data.validation());
        return parameters -> {
            var model = new Backpropagation(measured.parameters(parameters), measured.precision(), measured.kernels());
            double loss = Evaluation.loss(model, ExampleStream.batches(data.validation(), batch));
            return List.of(
                    perplexity("validation", loss, data),
                    perplexity("unigram", unigram, data),
                    perplexity("bigram", bigram, data));
        };
    }

    private static Measurement perplexity(String name, double loss, TrainingData data) {
        return Measurement.exact(
                "perplexity." + name, Math.exp(loss), "", data.validation().size());
    }
}
