package org.lemmata.experiment;

import it.unimi.dsi.fastutil.ints.IntImmutableList;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.lemmata.argument.Refuse;
import org.lemmata.config.Configuration;
import org.lemmata.dataset.text.CountedText;
import org.lemmata.dataset.text.TextTask;
import org.lemmata.model.Backpropagation;
import org.lemmata.model.part.FlopCount;
import org.lemmata.setting.Setting;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;

/**
 * The perplexity on a text's validation and test set: exp of the mean loss per token. {@code perplexity.validation} and
 * {@code perplexity.test} are perplexities of the model. {@code perplexity.test.N} is its perplexity on as many windows
 * as the test set has, but of N tokens, at equal distances. {@code perplexity.unigram} and {@code perplexity.bigram} on
 * the validation set, {@code perplexity.testUnigram} and {@code perplexity.testBigram} on the test set are those of the
 * unigram and bigram models that {@link CountedText} counts in the training split. With two or more windows, there are
 * 95% intervals: exp of the intervals of the mean loss over windows.
 *
 * @param lengths other lengths of test windows
 */
record TextPerplexity(TrainingTask task, TextTask text, IntImmutableList lengths) implements Measure {

    static final List<Setting> KEYS = Setting.table("""
        implied text-lengths | | list of lengths, in tokens. The perplexity is measured for each length, on `data.test`
          windows of the test text at equal distances
        """);

    private static final String LENGTHS = "text-lengths";

    private static final int MOST = 1 << 16;

    /**
     * Reads the key {@code text-lengths}. For a text with a validation or test set, the measure exists even without it.
     */
    static Optional<TextPerplexity> read(Configuration section, TrainingTask task, TrainingData.Draw data) {
        IntImmutableList lengths = section.integers(LENGTHS, 1, MOST);
        if (!lengths.isEmpty() && (task.text().isEmpty() || data.test() == 0)) {
            throw section.refusal(LENGTHS, "expected none except for a text with a test set, got " + lengths);
        }
        return task.text()
                .filter(text -> data.validation() + data.test() > 0)
                .map(text -> new TextPerplexity(task, text, lengths));
    }

    @Override
    public Length longest() {
        return Length.of(LENGTHS, lengths, task);
    }

    @Override
    public Metric draw(TrainingData data, Measured measured) {
        var counted =
                new CountedText(text.tokens().orElseThrow(), text.vocabulary().size());
        var ofCounts = new ArrayList<Measurement>();
        add(ofCounts, "unigram", data.validation(), counted::unigramLoss);
        add(ofCounts, "bigram", data.validation(), counted::bigramLoss);
        add(ofCounts, "testUnigram", data.test(), counted::unigramLoss);
        add(ofCounts, "testBigram", data.test(), counted::bigramLoss);
        var longer = new LinkedHashMap<Integer, List<Example>>();
        for (int length : lengths) {
            longer.put(length, testWindows(length, data.test().size()));
        }
        return parameters -> {
            var model = new Backpropagation(measured.parameters(parameters), measured.precision(), measured.kernels());
            var all = new ArrayList<Measurement>();
            add(all, "validation", data.validation(), window -> loss(model, window));
            add(all, "test", data.test(), window -> loss(model, window));
            longer.forEach((length, windows) -> add(all, "test." + length, windows, window -> loss(model, window)));
            all.addAll(ofCounts);
            return all;
        };
    }

    /** Each window is read once. */
    @Override
    public double cost(FlopCount count, TrainingPlan plan) {
        int held = plan.data().validation() + plan.data().test();
        return held * count.forward(text.defaultLength(), text.defaultLength())
                + plan.data().test()
                        * lengths.intStream()
                                .mapToDouble(n -> count.forward(n, n))
                                .sum();
    }

    private List<Example> testWindows(int length, int count) {
        TextTask windows = text.test().of(length);
        Refuse.when(
                windows.windows() < count,
                "evaluation." + LENGTHS,
                "lengths with at least " + count + " test windows (data.test)",
                length + ", which has " + windows.windows());
        long tokens = windows.tokens().orElseThrow().size();
        Refuse.when(
                length >= tokens,
                "evaluation." + LENGTHS,
                "lengths below the " + tokens + " tokens of the test text",
                length);
        return windows.windows(count).stream().map(task::prepared).toList();
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
