package org.lemmata.figure.depth;

import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.SeedRate;
import org.lemmata.figure.depth.Figure3Right.SampleSizeRates;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.task.depth.DistinctWords;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.token.Example;
import org.lemmata.track.CellRecord;
import org.lemmata.train.OnlineExamples;
import org.lemmata.train.Split;

/**
 * The two models of figures 4 and 5 and table 1, from the cells of figure 3 (right) that complete each context 100
 * times. The other cells complete each context once.
 *
 * @param one the runs trained on one word of depth up to 4, one per seed
 * @param many the runs with the largest training set of words of depth up to 8, one per seed
 */
record TwoModels(List<CellRecord> one, List<CellRecord> many) {

    private static final String CONTEXTS = "contexts.";

    /** The key for the number of trials. Cells omit it if the number is the default, 100. */
    private static final String TRIALS = "evaluation.trials";

    static final int COMPLETIONS = 100;

    void oneLearned(Judgement judgement) {
        SampleSizeRates.learnedInSample(judgement, "one word", one, 4);
    }

    void manyLearned(Judgement judgement) {
        SampleSizeRates.learnedInSample(judgement, "many words", many, 8);
    }

    static TwoModels of(FigureCells cells) {
        List<CellRecord> looked = cells.records().stream()
                .filter(record -> !record.settings().containsKey(TRIALS))
                .toList();
        return new TwoModels(
                looked.stream().filter(TwoModels::isOfOneWord).toList(),
                looked.stream().filter(record -> !isOfOneWord(record)).toList());
    }

    private static boolean isOfOneWord(CellRecord record) {
        return "1".equals(record.settings().get("data.train"));
    }

    static SeedRate balanced(List<CellRecord> runs, String context) {
        return rate(runs, record -> FigureCells.value(record, CONTEXTS + context, 0));
    }

    /** The first training word of a run, drawn again from the run's seed. */
    static String trainingWord(CellRecord record) {
        Map<String, String> settings = record.settings();
        String pairs = settings.getOrDefault("task.settings.N", "");
        var words = new DyckWords(
                Integer.parseInt(pairs), 1, Integer.parseInt(settings.getOrDefault("task.settings.maxDepth", pairs)));
        var draws =
                new OnlineExamples(random -> Example.nextToken(words.sampleIds(random)), record.seed(), Split.TRAIN);
        return DyckWords.text(new DistinctWords(words, 1, draws::generator).ids(0));
    }

    static SeedRate memorized(List<CellRecord> runs, String context) {
        return rate(
                runs,
                record -> record.measurement(CONTEXTS + context + "." + trainingWord(record))
                                .map(Measurement::value)
                                .orElse(0.0)
                        / COMPLETIONS);
    }

    static int length(CellRecord record, String context) {
        return brackets(record, context).length();
    }

    /**
     * The brackets of a context. If the context is a number n, it means the first n brackets of the first training
     * word.
     */
    static String brackets(CellRecord record, String context) {
        String prefix = Optional.ofNullable(record.settings().get("evaluation." + CONTEXTS + context + ".prefix"))
                .orElseThrow();
        return prefix.startsWith("(") ? prefix : trainingWord(record).substring(0, Integer.parseInt(prefix));
    }

    /** The proportion of brackets after a context that equal the training word's brackets at the same positions. */
    static SeedRate repeated(List<CellRecord> runs, String context) {
        return rate(runs, record -> {
            String trained = trainingWord(record);
            int length = length(record, context);
            double same = completions(record, context).stream()
                    .mapToDouble(each -> each.value() * same(word(each), trained, length))
                    .sum();
            return same / COMPLETIONS / (trained.length() - length);
        });
    }

    private static long same(String word, String trained, int from) {
        return IntStream.range(from, trained.length())
                .filter(i -> i < word.length() && word.charAt(i) == trained.charAt(i))
                .count();
    }

    /** The rate of completions whose number of '(' minus number of ')' meets a condition. */
    static SeedRate ends(List<CellRecord> runs, String context, LongPredicate condition) {
        return rate(
                runs,
                record -> completions(record, context).stream()
                                .filter(each -> condition.test(
                                        stack(word(each), word(each).length())))
                                .mapToDouble(Measurement::value)
                                .sum()
                        / COMPLETIONS);
    }

    /** The numbers of different completions of a context. */
    static IntSummaryStatistics different(List<CellRecord> runs, String context) {
        return runs.stream().mapToInt(run -> completions(run, context).size()).summaryStatistics();
    }

    private static SeedRate rate(List<CellRecord> runs, ToDoubleFunction<CellRecord> share) {
        return SeedRate.of(FigureCells.ofOneModel(runs).stream()
                .map(record -> {
                    double value = share.applyAsDouble(record);
                    int count = (int) Math.round(value * COMPLETIONS);
                    return new Measurement(
                            "rate", value, "probability", Interval.proportion(COMPLETIONS, count), COMPLETIONS, null);
                })
                .toList());
    }

    /** The completions of a context. Each measurement's name ends with the completed word. */
    static List<Measurement> completions(CellRecord record, String context) {
        return record.measurements().stream()
                .filter(measurement -> measurement.name().startsWith(CONTEXTS + context + "."))
                .toList();
    }

    static String word(Measurement completion) {
        return completion.name().substring(completion.name().lastIndexOf('.') + 1);
    }

    /** The number of '(' minus the number of ')' among the first {@code length} brackets of a word. */
    static long stack(String word, int length) {
        return 2 * word.chars().limit(length).filter(bracket -> bracket == '(').count() - length;
    }
}
