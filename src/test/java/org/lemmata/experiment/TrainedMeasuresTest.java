package org.lemmata.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.model.part.FlopCount;
import org.lemmata.statistic.Measurement;
import org.lemmata.task.depth.DyckWords;

/** The measurements for the figures of Richard (2024), from the configuration to the results. */
class TrainedMeasuresTest extends MeasuredRunFixture {

    private static final String RUN = """
        seed: 3
        steps: 4
        batch: 4
        task: {name: dyck-words, settings: {N: 5, maxDepth: 3}}
        model: {width: 4, layers: 2}
        """;

    private static final String ALL = """
        data: {train: 15, distinct: true, validation: 0, test: 12}
        evaluation: {every: 0, completions: 30, deeper: 4, unseen: true, distinct: true, decoding: sampled,
          trials: 50, spectrum: 4, position-clusters: 3, contexts: {deep: '((((', first: 6}}
        """;

    @Test
    void everythingIsMeasuredOnceWithTheSameBitsForAnyThreads() throws IOException {
        Map<String, Measurement> measured = run("one", 1, RUN + ALL);
        assertThat(run("three", 3, RUN + ALL)).isEqualTo(measured);
        for (String rate : List.of("inSample", "deeper", "unseen")) {
            assertThat(of(measured, "completions." + rate).n()).isEqualTo(30);
        }
        assertThat(value(measured, "completions.deeperInTraining")).isZero();
        assertThat(value(measured, "completions.unseenInTraining")).isPositive();
        assertThat(value(measured, "testInTraining")).isZero();
        assertThat(of(measured, "testInTraining").n()).isEqualTo(12);
        for (String context : List.of("deep", "first")) {
            List<Measurement> words = measured.values().stream()
                    .filter(each -> each.name().startsWith("contexts." + context + "."))
                    .toList();
            assertThat(words.stream().mapToDouble(Measurement::value).sum()).isEqualTo(50);
            double balanced = words.stream()
                    .filter(each -> DyckWords.isBalanced(
                            DyckWords.ids(each.name().substring(each.name().lastIndexOf('.') + 1))))
                    .mapToDouble(Measurement::value)
                    .sum();
            assertThat(value(measured, "contexts." + context)).isEqualTo(balanced / 50);
        }
        assertThat(measured.keySet()).contains("spectrum.real.3", "spectrum.cosine.0", "spectrum.stableRank");
        assertThat(measured.values().stream()
                        .filter(each -> each.name().startsWith("positions.size."))
                        .mapToDouble(Measurement::value)
                        .sum())
                .isEqualTo(4);
        assertThat(value(measured, "positions.centre.2.9"))
                .isLessThanOrEqualTo(value(measured, "positions.centre.0.9"));
    }

    /** An untrained model samples brackets like a fair coin, and always opens if greedy. */
    @Test
    void sampledCompletionsAreDrawn() throws IOException {
        String coin = """
            optimizer.learning-rate: 0
            initialization.standard-deviation: 1e-30
            evaluation: {every: 0, completions: 2000, decoding: %s, contexts: {deep: '(((('}, trials: 4000}
            data: {validation: 0, test: 0}
            """;
        Map<String, Measurement> greedy = run("greedy", 2, RUN + coin.formatted("greedy"));
        assertThat(value(greedy, "completions.inSample")).isLessThan(0.15);
        Map<String, Measurement> sampled = run("sampled", 2, RUN + coin.formatted("sampled"));
        // Of 2^6 completions of four open brackets to ten, 5 are balanced: 4000 * 5 / 64 = 312, with a standard
        // deviation of 17. Prefixes that lack one bracket are completed in half of the cases.
        assertThat(value(sampled, "contexts.deep") * 4000).isBetween(227.0, 398.0);
        assertThat(value(sampled, "completions.inSample")).isBetween(0.1, 0.4);
    }

    @Test
    void trialsOfContextsAreCounted() throws IOException {
        double without = TrainingCost.of(plan(RUN)).total();
        TrainingPlan plan = plan(RUN + "evaluation: {trials: 7, contexts: {a: '((', b: '((((()'}}");
        var count = new FlopCount(architecture(plan));
        double trial = 2 * count.forward(9, count.pairs(9), 0);
        double rows = count.forward(9, count.pairs(9), 8) + count.forward(9, count.pairs(9), 4);
        assertThat(rows).isGreaterThan(trial);
        assertThat(TrainingCost.of(plan).total()).isEqualTo(without + 7 * rows);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        evaluation: {completions: 1, unseen: true}| evaluation.unseen: expected false without a training set of distinct words, got true
        {data.train: 34, data.distinct: true, data.validation: 0, data.test: 0, evaluation.completions: 1, evaluation.unseen: true}| evaluation.unseen: expected false if all 34 words are in the training set, got true
        evaluation: {unseen: true}| evaluation.unseen: expected no such key, since it has no effect here
        evaluation: {completions: 1, distinct: true}| evaluation.distinct: expected no such key
        evaluation: {completions: 1, decoding: best}| evaluation.decoding: expected one of greedy, sampled, got 'best'
        evaluation: {trials: 5}| evaluation.trials: expected no such key, since it has no effect here
        evaluation: {contexts: {a: '())'}}| evaluation.contexts.a.prefix: expected 1 to 9 brackets that begin a word of 10, got '())'
        evaluation: {contexts: {a: '(((((('}}| evaluation.contexts.a.prefix: expected 1 to 9 brackets
        evaluation: {contexts: {a: 3}}| evaluation.contexts.a.prefix: expected 1 to 9 brackets that begin a word of 10, got '3'
        {data.train: 2, evaluation.contexts.a: 10}| evaluation.contexts.a.prefix: expected 1 to 9 brackets that begin a word of 10, or how many of the first training word, got '10'
        evaluation: {questions: 1}| evaluation.questions: expected 0 except for Boolean expressions, got the task dyck-words
        evaluation: {spectrum: 5}| evaluation.spectrum: expected an integer from 0 to 4, got 5
        {evaluation.position-clusters: 2, model.positions.kind: none}| evaluation.position-clusters: expected 0 without a table of positions, got 2
        """)
    void whatCannotBeMeasuredIsRefused(String more, String problem) {
        String yaml =
                more.startsWith("{") ? more.substring(1, more.length() - 1).replace(", ", "\n") : more;
        assertRefused(RUN + yaml + "\n", problem);
    }
}
