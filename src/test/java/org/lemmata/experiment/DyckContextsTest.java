package org.lemmata.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.lemmata.construct.depth.DyckCompleterByPositionSums;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.Architecture;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.Parameters;
import org.lemmata.model.Transformer;
import org.lemmata.statistic.Measurement;
import org.lemmata.task.depth.DyckWords;

class DyckContextsTest {

    private static List<Measurement> of(LanguageModel model, String context, int trials, int pairs, long seed) {
        var task = new TrainingTask(new DyckWords(pairs), null, false);
        return new DyckContexts(task, new TreeMap<>(), trials)
                .completed(model, new TreeMap<>(Map.of("x", DyckWords.ids(context))), seed);
    }

    /** With weights 0, each bracket is a coin toss, so each of four completions occurs 1,000 times on average. */
    @Test
    void countsTheCompletionsOfACoin() {
        var architecture = Architecture.uniformHead(2, 4, 1, true);
        var model = new Transformer(
                new Parameters(architecture, new float[architecture.parameterCount()]), Kernels.scalar());
        List<Measurement> all = of(model, "()", 4000, 2, 5);
        List<Measurement> counts = all.subList(1, all.size());
        assertThat(counts)
                .extracting(Measurement::name)
                .containsExactlyInAnyOrder("contexts.x.()((", "contexts.x.()()", "contexts.x.())(", "contexts.x.()))");
        // Five standard deviations of 27.
        assertThat(counts).allMatch(count -> Math.abs(count.value() - 1000) < 137);
        assertThat(counts.stream().mapToDouble(Measurement::value).sum()).isEqualTo(4000);
        assertThat(counts)
                .isSortedAccordingTo(
                        Comparator.comparingDouble(Measurement::value).reversed());
        double words = counts.stream()
                .filter(count -> count.name().equals("contexts.x.()()"))
                .mapToDouble(Measurement::value)
                .sum();
        assertThat(all.getFirst()).isEqualTo(Measurement.share("contexts.x", 4000, (int) words));
        assertThat(of(model, "()", 4000, 2, 5)).isEqualTo(all);
        assertThat(of(model, "()", 4000, 2, 6)).isNotEqualTo(all);
    }

    /** The same code evaluates the closed form of Richard (2024), theorem 4.1. */
    @Test
    void theClosedFormGivesBackItsWordAndBalancedOthers() {
        String word = "(()((())))()()((()))(()())()()()";
        var model =
                new DyckCompleterByPositionSums(DyckWords.BRACKETS, DyckWords.ids(word), -0.5).model(Kernels.scalar());
        assertThat(of(model, word.substring(0, 9), 100, 16, 1))
                .containsExactly(
                        Measurement.share("contexts.x", 100, 100),
                        Measurement.exact("contexts.x." + word, 100, "completions", 100));
        assertThat(of(model, "((((((((((((((((", 100, 16, 1).getFirst().value()).isEqualTo(1);
    }

    @Test
    void equallyFrequentCompletionsAreInTheOrderOfTheirTexts() {
        var architecture = Architecture.uniformHead(2, 4, 1, true);
        var model = new Transformer(
                new Parameters(architecture, new float[architecture.parameterCount()]), Kernels.scalar());
        List<Measurement> all = of(model, "()", 4, 2, 1);
        assertThat(all.subList(1, all.size()))
                .isSortedAccordingTo(Comparator.comparingDouble(Measurement::value)
                        .reversed()
                        .thenComparing(Measurement::name));
    }
}
