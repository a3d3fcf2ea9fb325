package org.lemmata.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.lemmata.construct.depth.DyckCompleterByPositionSums;
import org.lemmata.kernel.Kernels;
import org.lemmata.measure.CompletionDistribution.Outcome;
import org.lemmata.model.Architecture;
import org.lemmata.model.Decoding;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.Parameters;
import org.lemmata.model.Transformer;
import org.lemmata.task.depth.DyckWords;

class CompletionDistributionTest {

    private static CompletionDistribution of(LanguageModel model, String context, int trials, int length, long seed) {
        return CompletionDistribution.of(
                model,
                DyckWords.ids(context),
                trials,
                length,
                new Decoding.Sampling(new Random(seed)),
                DyckWords::text,
                DyckWords::isBalanced);
    }

    /** With weights 0, each bracket is a coin toss, so each of four completions occurs 1,000 times on average. */
    @Test
    void countsTheCompletionsOfACoin() {
        var architecture = Architecture.uniformHead(2, 4, 1, true);
        var model = new Transformer(
                new Parameters(architecture, new float[architecture.parameterCount()]), Kernels.scalar());
        CompletionDistribution distribution = of(model, "()", 4000, 4, 5);
        assertThat(distribution.outcomes().stream().map(Outcome::text))
                .containsExactlyInAnyOrder("()((", "()()", "())(", "()))");
        // Five standard deviations of 27.
        assertThat(distribution.outcomes()).allMatch(outcome -> Math.abs(outcome.count() - 1000) < 137);
        assertThat(distribution.outcomes().stream().mapToInt(Outcome::count).sum())
                .isEqualTo(4000);
        assertThat(distribution.outcomes())
                .isSortedAccordingTo(Comparator.comparingInt(Outcome::count).reversed());
        assertThat(distribution.outcomes())
                .allMatch(outcome -> outcome.valid() == outcome.text().equals("()()"));
        assertThat(distribution.valid())
                .isEqualTo(distribution.outcomes().stream()
                        .filter(outcome -> outcome.text().equals("()()"))
                        .mapToInt(Outcome::count)
                        .sum());
        assertThat(of(model, "()", 4000, 4, 5)).isEqualTo(distribution);
        assertThat(of(model, "()", 4000, 4, 6)).isNotEqualTo(distribution);
    }

    /** The same code evaluates the closed form of Richard (2024), theorem 4.1. */
    @Test
    void theClosedFormGivesBackItsWordAndBalancedOthers() {
        String word = "(()((())))()()((()))(()())()()()";
        var model =
                new DyckCompleterByPositionSums(DyckWords.BRACKETS, DyckWords.ids(word), -0.5).model(Kernels.scalar());
        assertThat(of(model, word.substring(0, 9), 100, 32, 1).outcomes())
                .containsExactly(new Outcome(word, 100, true));
        assertThat(of(model, "((((((((((((((((", 100, 32, 1).valid()).isEqualTo(100);
    }
}
