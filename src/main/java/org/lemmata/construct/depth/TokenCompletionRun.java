package org.lemmata.construct.depth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ObjIntConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.lemmata.argument.Refuse;
import org.lemmata.construct.Construction;
import org.lemmata.construct.ConstructionRun;
import org.lemmata.construct.ModelRun;
import org.lemmata.model.Decoding;
import org.lemmata.model.Generation;
import org.lemmata.model.LanguageModel;
import org.lemmata.task.depth.TypedBrackets;
import org.lemmata.token.Vocabulary;

/**
 * Completes prefixes of tokens with blanks between them, by a construction made of one training word: the completion,
 * whether it is as it should be, and the probability of each token that was taken.
 *
 * <p>Before the first token there is nothing to attend to: an empty prefix becomes the training word's first token,
 * which is reported as {@code forced} and has no probability.
 */
record TokenCompletionRun(Construction construction, int first, TokenCompletionRun.Language language, Decoding decoding)
        implements ModelRun {

    /**
     * What prefixes there are, and what completions should be.
     *
     * @param check refuses a prefix of legal length that cannot be completed to so many tokens
     * @param outcome the name of what {@code isGood} tells
     * @param isGood of a completion
     */
    private record Language(ObjIntConsumer<int[]> check, String outcome, Predicate<int[]> isGood) {}

    /** Of a construction made of a word of brackets of several types. */
    static ConstructionRun ofTypedBrackets(Construction construction, List<String> word, Decoding decoding) {
        var language = new Language(TokenCompletionRun::checkBrackets, "balanced", TypedBrackets::isBalanced);
        return new TokenCompletionRun(construction, ids(construction.vocabulary(), word)[0], language, decoding);
    }

    /** Of a construction made of any sequence. */
    static ConstructionRun ofSequence(Construction construction, List<String> tokens, Decoding decoding) {
        int[] sequence = ids(construction.vocabulary(), tokens);
        // Every prefix is completed somehow.
        var language =
                new Language((prefix, length) -> {}, "memorized", completion -> Arrays.equals(completion, sequence));
        return new TokenCompletionRun(construction, sequence[0], language, decoding);
    }

    private static void checkBrackets(int[] prefix, int length) {
        for (int r = 1; r <= prefix.length; r++) {
            int open = TypedBrackets.open(Arrays.copyOf(prefix, r)).length;
            if (open > length - r) {
                throw new IllegalArgumentException("position " + r + ": expected at most " + (length - r)
                        + " brackets open, got " + open + ", which " + length + " brackets cannot balance");
            }
        }
    }

    private static int[] ids(Vocabulary vocabulary, List<String> tokens) {
        return tokens.stream().mapToInt(vocabulary::id).toArray();
    }

    @Override
    public Map<String, Object> answer(LanguageModel model, String line) {
        Vocabulary vocabulary = construction.vocabulary();
        int length = model.architecture().maxLength();
        int[] prefix = ids(vocabulary, DepthConstructions.tokens(line));
        Refuse.when(prefix.length > length, "prefix", "at most " + length + " tokens", prefix.length);
        language.check.accept(prefix, length);
        int[] start = prefix.length == 0 ? new int[] {first} : prefix;
        Generation generation =
                Generation.complete(model, List.of(start), length, decoding).getFirst();
        List<Double> probabilities = new ArrayList<>();
        for (int i = 0; i < generation.logits().size(); i++) {
            probabilities.add(probability(generation.logits().get(i), generation.tokens()[start.length + i]));
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        if (prefix.length == 0) {
            answer.put("forced", vocabulary.symbol(first));
        }
        answer.put(
                "completion",
                Arrays.stream(generation.tokens()).mapToObj(vocabulary::symbol).collect(Collectors.joining(" ")));
        answer.put(language.outcome, language.isGood.test(generation.tokens()));
        answer.put("probabilities", probabilities);
        return answer;
    }

    /** softmax(logits)_token. */
    private static double probability(double[] logits, int token) {
        return 1
                / Arrays.stream(logits)
                        .map(logit -> Math.exp(logit - logits[token]))
                        .sum();
    }
}
