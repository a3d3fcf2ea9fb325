package org.lemmata.construct.depth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Collectors;
import org.lemmata.argument.Refuse;
import org.lemmata.construct.Construction;
import org.lemmata.construct.ConstructionProvider;
import org.lemmata.construct.ConstructionRun;
import org.lemmata.construct.ModelRun;
import org.lemmata.model.Decoding;
import org.lemmata.model.Generation;
import org.lemmata.model.LanguageModel;
import org.lemmata.setting.Catalogue;
import org.lemmata.setting.Settings;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.task.depth.TypedBrackets;
import org.lemmata.token.Vocabulary;

/** The constructions of Richard (2024). */
public final class DepthConstructions implements ConstructionProvider {

    /** The maximum N: N^3 is exact in binary64, and a prefix of 2N tokens fits in memory. */
    private static final int MAX_PAIRS = 1 << 14;

    /** The maximum number of tokens or columns: a square binary64 matrix of this size takes 128 MiB. */
    private static final int MAX_WIDTH = 1 << 12;

    /** The maximum N for several types, where the numbers of levels and positions are multiplied. */
    private static final int MAX_TYPED_PAIRS = 1 << 9;

    private static final String SEQUENCE = """
        sequence | | the training sequence, at least 2 tokens with blanks between them
        others | | further tokens of the vocabulary, with blanks between them
        """;

    private static final String PULL = """
        gamma | -0.5 | within (-1, 0) counts of tokens are drawn to the training sequence's, within (0, 1) away; not 0
        """;

    private static final String DECODING = """
        sample | false | whether tokens are drawn, or the likelier one is taken
        seed | 1 | seed of the draws
        """;

    @Override
    public List<Catalogue.Entry<ConstructionRun>> entries() {
        return List.of(
                new Catalogue.Entry<>(
                        "dyck-completion",
                        "completes a prefix of a Dyck word by the stack sizes of one training word",
                        DyckCompleterByPositionSums.SOURCE,
                        """
                            word | | the training word, balanced, as long as completions will be
                            gamma | -0.5 | weight of the next training token in the positions, not 0; within (-2, 0) greedy
                              completions are balanced
                            v | | value weight, v gamma > N^2; by default the smallest in size, -(2N^2 + 1) for gamma = -0.5
                            """ + DECODING,
                        settings -> new DyckCompletionRun(byPositionSums(settings), decoding(settings))),
                new Catalogue.Entry<>(
                        "dyck-completion-without-positions",
                        "completes a prefix of a Dyck word by closing what is open, then repeating ()",
                        DyckCompleterWithoutPositions.SOURCE,
                        """
                        N | | half the length of a completed word, 1 to %s
                        v | | value weight, below 0; by default -(2N^2 (2N + 1) + 1)
                        """.formatted(MAX_PAIRS) + DECODING,
                        settings -> new DyckCompletionRun(withoutPositions(settings), decoding(settings))),
                new Catalogue.Entry<>(
                        "dyck-completion-of-types",
                        "completes a prefix of a word of several bracket types by one word and the last open bracket",
                        DyckCompleterByLastOpener.SOURCE,
                        """
                            word | | the training word, balanced, such as (1 (2 )2 )1 with blanks
                            k | 2 | number of bracket types
                            """ + DECODING,
                        settings -> new TokenCompletionRun(
                                byLastOpener(settings), typedWord(settings), true, decoding(settings))),
                new Catalogue.Entry<>(
                        "sequence-memorization",
                        "completes a prefix of one training sequence to that sequence, with one-hot tokens",
                        SequenceMemorizerByOneHotEmbedding.SOURCE,
                        SEQUENCE + PULL + """
                            v | | value weight, v gamma > n ln(nt); by default the smallest integer in size that fails
                              with probability at most 1/1000
                            """ + DECODING,
                        settings -> new TokenCompletionRun(
                                byOneHotEmbedding(settings), sequence(settings), false, decoding(settings))),
                new Catalogue.Entry<>(
                        "sequence-memorization-by-projection",
                        "completes a prefix of one training sequence to that sequence, by projected tokens",
                        SequenceMemorizerByProjection.SOURCE,
                        SEQUENCE + """
                            epsilon | 0.25 | maximum relative error of squared distances of tokens, within (0, 1);
                              below 1/2, every projection works
                            d | | columns; by default the fewest that epsilon permits
                            projection | 1 | seed of the random projection
                            """ + PULL + """
                            v | | value weight, of gamma's sign; by default the smallest integer in size that fails with
                              probability at most 1/1000
                            """ + DECODING,
                        settings -> new TokenCompletionRun(
                                byProjection(settings), sequence(settings), false, decoding(settings))));
    }

    private static Decoding decoding(Settings settings) {
        boolean sample = settings.flag("sample");
        long seed = settings.seed("seed");
        return sample
                ? new Decoding.Sampling(
                        RandomGeneratorFactory.of("L64X128MixRandom").create(seed))
                : new Decoding.Greedy();
    }

    private static Construction byPositionSums(Settings settings) {
        int[] word = brackets("word", settings.required("word", "a balanced word such as (())()"));
        double gamma = settings.requiredReal("gamma");
        return settings.real("v")
                .map(v -> new DyckCompleterByPositionSums(DyckWords.BRACKETS, word, gamma, v))
                .orElseGet(() -> new DyckCompleterByPositionSums(DyckWords.BRACKETS, word, gamma));
    }

    private static Construction withoutPositions(Settings settings) {
        int pairs = settings.requiredInteger("N", 1, MAX_PAIRS);
        return settings.real("v")
                .map(v -> new DyckCompleterWithoutPositions(DyckWords.BRACKETS, pairs, v))
                .orElseGet(() -> new DyckCompleterWithoutPositions(DyckWords.BRACKETS, pairs));
    }

    private static Construction byLastOpener(Settings settings) {
        int types = settings.requiredInteger("k", 1, MAX_WIDTH / 8);
        List<String> word = typedWord(settings);
        Refuse.when(
                word.size() > 2 * MAX_TYPED_PAIRS, "word", "at most " + 2 * MAX_TYPED_PAIRS + " brackets", word.size());
        Vocabulary vocabulary = TypedBrackets.vocabulary(types);
        return new DyckCompleterByLastOpener(vocabulary, ids(vocabulary, word));
    }

    private static List<String> typedWord(Settings settings) {
        return tokens(settings.required("word", "a balanced word such as (1 (2 )2 )1"));
    }

    private static Construction byOneHotEmbedding(Settings settings) {
        Vocabulary vocabulary = vocabulary(settings);
        int[] sequence = ids(vocabulary, sequence(settings));
        double gamma = settings.requiredReal("gamma");
        return settings.real("v")
                .map(v -> new SequenceMemorizerByOneHotEmbedding(vocabulary, sequence, gamma, v))
                .orElseGet(() -> new SequenceMemorizerByOneHotEmbedding(vocabulary, sequence, gamma));
    }

    private static Construction byProjection(Settings settings) {
        Vocabulary vocabulary = vocabulary(settings);
        int[] sequence = ids(vocabulary, sequence(settings));
        double gamma = settings.requiredReal("gamma");
        double epsilon = settings.requiredReal("epsilon");
        int minimum = RandomProjection.minWidth(vocabulary.size() + 1, epsilon);
        int width = settings.integer("d", 1, MAX_WIDTH).orElse(minimum);
        if (width > MAX_WIDTH) {
            throw new IllegalArgumentException("epsilon: expected one for which " + MAX_WIDTH + " columns suffice, got "
                    + epsilon + ", which takes " + minimum);
        }
        double[][] embedding = RandomProjection.draw(
                        vocabulary.size(),
                        width,
                        epsilon,
                        RandomGeneratorFactory.of("L64X128MixRandom").create(settings.seed("projection")))
                .embedding();
        return settings.real("v")
                .map(v -> new SequenceMemorizerByProjection(vocabulary, embedding, sequence, gamma, v))
                .orElseGet(() -> new SequenceMemorizerByProjection(vocabulary, embedding, sequence, gamma));
    }

    /** The tokens of the sequence in the order of their first appearance, then all other tokens. */
    private static Vocabulary vocabulary(Settings settings) {
        Set<String> symbols = new LinkedHashSet<>(sequence(settings));
        symbols.addAll(tokens(settings.text("others").orElse("")));
        Refuse.when(symbols.size() > MAX_WIDTH, "others", "at most " + MAX_WIDTH + " different tokens", symbols.size());
        return new Vocabulary(List.copyOf(symbols));
    }

    private static int[] ids(Vocabulary vocabulary, List<String> tokens) {
        return tokens.stream().mapToInt(vocabulary::id).toArray();
    }

    private static List<String> sequence(Settings settings) {
        List<String> sequence = tokens(settings.required("sequence", "tokens such as 1 3 2 2"));
        Refuse.when(sequence.size() > MAX_WIDTH, "sequence", "at most " + MAX_WIDTH + " tokens", sequence.size());
        return sequence;
    }

    static List<String> tokens(String text) {
        return Arrays.stream(text.strip().split("\\s+"))
                .filter(token -> !token.isEmpty())
                .toList();
    }

    private static int[] brackets(String name, String text) {
        Refuse.when(text.length() > 2 * MAX_PAIRS, name, "at most " + 2 * MAX_PAIRS + " brackets", text.length());
        int[] ids = new int[text.length()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = DyckWords.BRACKETS.symbols().indexOf(text.substring(i, i + 1));
            Refuse.when(ids[i] < 0, name, "( or ) at position " + (i + 1), Refuse.quoted(text.substring(i, i + 1)));
        }
        return ids;
    }

    /**
     * Completes prefixes of Dyck words: X and the probability of '(' at each generated step, with logits = X Eᵀ.
     *
     * <p>Attention needs at least one token, so an empty prefix becomes "(", the only legal start. This token is
     * reported as {@code forced} and has no score.
     *
     * @param decoding the choice of the next bracket
     */
    private record DyckCompletionRun(Construction construction, Decoding decoding) implements ModelRun {

        @Override
        public Map<String, Object> answer(LanguageModel model, String line) {
            int length = model.architecture().maxLength();
            int[] prefix = DyckWords.ids(line);
            check(prefix, length);
            int[] start = prefix.length == 0 ? new int[] {DyckWords.OPEN} : prefix;
            Generation generation =
                    Generation.complete(model, List.of(start), length, decoding).getFirst();
            List<Double> scores = new ArrayList<>();
            List<Double> openProbabilities = new ArrayList<>();
            for (double[] logits : generation.logits()) {
                double open = logits[DyckWords.OPEN];
                double close = logits[DyckWords.CLOSE];
                scores.add(-close + 0.0); // E is -1 for ')'; adding 0 converts -0 to 0.
                openProbabilities.add(1 / (1 + Math.exp(close - open)));
            }
            Map<String, Object> answer = new LinkedHashMap<>();
            if (prefix.length == 0) {
                answer.put("forced", "(");
            }
            answer.put("completion", DyckWords.text(generation.tokens()));
            answer.put("balanced", DyckWords.isBalanced(generation.tokens()));
            answer.put("scores", scores);
            answer.put("openProbabilities", openProbabilities);
            return answer;
        }

        private static void check(int[] prefix, int length) {
            Refuse.when(prefix.length > length, "prefix", "at most " + length + " brackets", prefix.length);
            int stack = 0;
            for (int i = 0; i < prefix.length; i++) {
                stack += prefix[i] == DyckWords.OPEN ? 1 : -1;
                Refuse.when(stack < 0, "position " + (i + 1), "'('", "')' with nothing open");
                Refuse.when(
                        stack > length - (i + 1),
                        "position " + (i + 1),
                        "at most " + (length - (i + 1)) + " brackets open",
                        stack + ", which " + length + " brackets cannot balance");
            }
        }
    }

    /**
     * Completes prefixes, given as tokens separated by blanks, with a construction built from one training word. The
     * answer has the completion, whether it is correct, and the probability of each chosen token.
     *
     * <p>Attention needs at least one token, so an empty prefix becomes the training word's first token. This token is
     * reported as {@code forced} and has no probability.
     *
     * @param word the training word
     * @param brackets whether tokens are brackets, and balanced completions are correct; otherwise every prefix has a
     *     completion, and only the training word is correct
     */
    private record TokenCompletionRun(Construction construction, List<String> word, boolean brackets, Decoding decoding)
            implements ModelRun {

        private static void checkBrackets(int[] prefix, int length) {
            for (int r = 1; r <= prefix.length; r++) {
                int open = TypedBrackets.open(Arrays.copyOf(prefix, r)).length;
                if (open > length - r) {
                    throw new IllegalArgumentException("position " + r + ": expected at most " + (length - r)
                            + " brackets open, got " + open + ", which " + length + " brackets cannot balance");
                }
            }
        }

        @Override
        public Map<String, Object> answer(LanguageModel model, String line) {
            Vocabulary vocabulary = construction.vocabulary();
            int length = model.architecture().maxLength();
            int[] prefix = ids(vocabulary, DepthConstructions.tokens(line));
            Refuse.when(prefix.length > length, "prefix", "at most " + length + " tokens", prefix.length);
            if (brackets) {
                checkBrackets(prefix, length);
            }
            int[] training = ids(vocabulary, word);
            int[] start = prefix.length == 0 ? Arrays.copyOf(training, 1) : prefix;
            Generation generation =
                    Generation.complete(model, List.of(start), length, decoding).getFirst();
            List<Double> probabilities = new ArrayList<>();
            for (int i = 0; i < generation.logits().size(); i++) {
                probabilities.add(
                        probability(generation.logits().get(i), generation.tokens()[start.length + i]));
            }
            Map<String, Object> answer = new LinkedHashMap<>();
            if (prefix.length == 0) {
                answer.put("forced", word.getFirst());
            }
            answer.put(
                    "completion",
                    Arrays.stream(generation.tokens())
                            .mapToObj(vocabulary::symbol)
                            .collect(Collectors.joining(" ")));
            if (brackets) {
                answer.put("balanced", TypedBrackets.isBalanced(generation.tokens()));
            } else {
                answer.put("memorized", Arrays.equals(generation.tokens(), training));
            }
            answer.put("probabilities", probabilities);
            return answer;
        }

        private static double probability(double[] logits, int token) {
            return 1
                    / Arrays.stream(logits)
                            .map(logit -> Math.exp(logit - logits[token]))
                            .sum();
        }
    }
}
