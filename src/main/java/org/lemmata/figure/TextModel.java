package org.lemmata.figure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lemmata.claim.Figure;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.SeedMean;
import org.lemmata.claim.TrivialAnswer;
import org.lemmata.statistic.Interval;
import org.lemmata.track.CellRecord;

/**
 * A model of a text, with its test perplexities. For one seed, all models of a grid see the same windows of the text.
 *
 * @param name the name of the model, and of the text if there are several
 * @param runs one run per seed, in the same order for all models
 */
public record TextModel(String name, List<CellRecord> runs) {

    private static final String TEXT = "task.text";

    /** The vocabulary size of bytes, which is the perplexity of uniform predictions. */
    private static final int BYTES = 257;

    private static final int BYTE_PAIRS = 50_257;

    /** The maximum number of seeds that {@link #below} recommends. */
    private static final int MOST_SEEDS = 1000;

    public TextModel {
        runs = List.copyOf(FigureCells.ofOneModel(runs));
    }

    /** The texts of the cells, in the order of the grid. */
    public static List<String> texts(FigureCells cells) {
        return cells.records().stream()
                .map(run -> run.settings().get(TEXT))
                .distinct()
                .toList();
    }

    public static TextModel of(FigureCells cells, String name, String text, Predicate<CellRecord> condition) {
        return new TextModel(
                texts(cells).size() == 1 ? name : name + ", " + text,
                cells.records().stream()
                        .filter(run -> text.equals(run.settings().get(TEXT)))
                        .filter(condition)
                        .toList());
    }

    /** Lengths of the test windows, with the training length first. */
    public List<Integer> lengths() {
        CellRecord run = runs.getFirst();
        return IntStream.concat(
                        IntStream.of(run.integer("task.length")),
                        IntStream.iterate(0, i -> run.settings().containsKey(key(i)), i -> i + 1)
                                .map(i -> run.integer(key(i))))
                .boxed()
                .toList();
    }

    private static String key(int index) {
        return "evaluation.text-lengths." + index;
    }

    private double[] values(int length) {
        String key = "perplexity.test" + (length == lengths().getFirst() ? "" : "." + length);
        return runs.stream()
                .mapToDouble(run -> FigureCells.value(run, key, lost(run)))
                .toArray();
    }

    private SeedMean perplexity(int length) {
        return SeedMean.of(values(length));
    }

    public void measure(Judgement judgement) {
        lengths()
                .forEach(length -> judgement.measure(
                        perplexity(length).measured(name + ": perplexity on windows of " + length, "")));
    }

    /**
     * Requires that the perplexity at the training length is lower than with uniform, unigram and bigram predictions.
     */
    public void learned(Judgement judgement) {
        judgement.learned(
                perplexity(lengths().getFirst()).measured(name + ": perplexity", ""), Judgement.Side.BELOW, trivial());
    }

    /** The trivial baselines, which are equal for all runs: the uniform answer, then the unigram and bigram models. */
    private List<TrivialAnswer> trivial() {
        return Stream.concat(
                        Stream.of(new TrivialAnswer("uniform answer", lost(runs.getFirst()))),
                        Stream.of("Unigram", "Bigram")
                                .flatMap(kind -> runs.stream()
                                        .flatMap(run -> run.measurement("perplexity.test" + kind).stream())
                                        .limit(1)
                                        .map(of -> new TrivialAnswer(
                                                kind.toLowerCase(Locale.ROOT) + " model", of.value(), of.interval()))))
                .toList();
    }

    private static double lost(CellRecord run) {
        return "bytes".equals(run.settings().get("task.vocabulary")) ? BYTES : BYTE_PAIRS;
    }

    /**
     * Requires that the ratio of this model's perplexity to {@code other}'s is below a bound. If the interval contains
     * the bound, the reported text gives the approximate number of seeds that would decide the comparison.
     */
    public void below(Judgement judgement, TextModel other, int length, double bound) {
        SeedMean ratio = SeedMean.ratio(values(length), other.values(length));
        Interval interval = ratio.interval();
        String what = name + " over " + other.name + ": ratio of perplexities on windows of " + length;
        boolean holds = interval.high() < bound;
        boolean fails = interval.low() >= bound;
        judgement.measure(ratio.measured(what, ""));
        double distance = Math.abs(Math.log(ratio.value() / bound));
        double seeds = Math.ceil(ratio.n() * Math.pow(Math.log(interval.high() / interval.low()) / 2 / distance, 2));
        String decided = holds || fails || ratio.n() < 2
                ? ""
                : seeds > MOST_SEEDS
                        ? " (more than 1,000 seeds would decide it)"
                        : String.format(Locale.ROOT, " (about %.0f seeds would decide it)", seeds);
        judgement.add(Judgement.text(what, "%.4f", ratio.value(), interval) + " < " + bound + decided, holds, fails);
    }

    /** A plot of perplexities over the length of windows, with the bigram model as a baseline. */
    public static Figure picture(String title, String caption, List<TextModel> models) {
        List<Integer> lengths = models.getFirst().lengths();
        var series = new ArrayList<Figure.Series>();
        models.forEach(model -> series.add(Figure.Series.of(
                model.name,
                lengths,
                length -> length,
                length -> model.perplexity(length).value(),
                length -> model.perplexity(length).interval())));
        series.add(models.getFirst().trivial().getLast().line(lengths.getFirst(), lengths.getLast()));
        return new Figure(title, caption, "tokens of a window", "test perplexity", series);
    }
}
