package org.lemmata.measure;

import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.lemmata.model.Decoding;
import org.lemmata.model.Generation;
import org.lemmata.model.LanguageModel;

/**
 * The results of independent trials of completing one context.
 *
 * @param trials the number of trials
 * @param outcomes the distinct completions by descending frequency, then by text
 */
public record CompletionDistribution(int trials, List<Outcome> outcomes) {

    /**
     * A completion.
     *
     * @param text the text of all tokens, including the context
     * @param count the number of trials with this completion
     * @param valid whether it satisfies the condition given to {@link CompletionDistribution#of}
     */
    public record Outcome(String text, int count, boolean valid) {}

    public CompletionDistribution {
        outcomes = List.copyOf(outcomes);
    }

    /**
     * Completes a context to {@code length} tokens in {@code trials} trials.
     *
     * @param decoding each trial uses its own split of this decoding
     * @param text converts the tokens of a completion to a text, by which completions are distinguished
     */
    public static CompletionDistribution of(
            LanguageModel model,
            int[] context,
            int trials,
            int length,
            Decoding decoding,
            Function<int[], String> text,
            Predicate<int[]> condition) {
        List<Generation> generations =
                Generation.complete(model, Collections.nCopies(trials, context), length, decoding);
        Map<String, List<Generation>> byText = generations.stream()
                .collect(Collectors.groupingBy(
                        generation -> text.apply(generation.tokens()), LinkedHashMap::new, Collectors.toList()));
        List<Outcome> outcomes = byText.entrySet().stream()
                .map(same -> new Outcome(
                        same.getKey(),
                        same.getValue().size(),
                        condition.test(same.getValue().getFirst().tokens())))
                .sorted(Comparator.comparingInt(Outcome::count).reversed().thenComparing(Outcome::text))
                .toList();
        return new CompletionDistribution(trials, outcomes);
    }

    /** The number of trials whose completion satisfies the condition. */
    public int valid() {
        return outcomes.stream().filter(Outcome::valid).mapToInt(Outcome::count).sum();
    }
}
