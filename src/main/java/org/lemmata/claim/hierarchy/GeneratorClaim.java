package org.lemmata.claim.hierarchy;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.random.RandomGenerator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.lemmata.argument.Refuse;
import org.lemmata.claim.Cases;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Tally;
import org.lemmata.claim.hierarchy.RecognizerClaim.BracketStrings;
import org.lemmata.construct.hierarchy.BracketTransformer;
import org.lemmata.construct.hierarchy.DyckConstants;
import org.lemmata.model.LanguageModel;
import org.lemmata.setting.Settings;
import org.lemmata.task.hierarchy.BracketLanguage;
import org.lemmata.task.hierarchy.BracketTokens;
import org.lemmata.task.hierarchy.GenerationProcess;
import org.lemmata.token.Batch;

/**
 * Claims that a construction realizes a generation process. After every prefix of sampled words, the total variation
 * distance between the next-token distributions of model and process is below the tolerance.
 */
final class GeneratorClaim {

    private static final long SEED = 2_402;

    private static final int MOST_DRAWS = 100_000;

    /**
     * Sampled words.
     *
     * @param types k
     * @param length n; longer words are cut off at n
     * @param draws the number of words, each the longest of several samples
     * @param tolerance the bound of the total variation distance
     */
    record Words(int types, int length, int draws, double tolerance) {

        DyckConstants constants() {
            return DyckConstants.of(length, length);
        }

        @Override
        public String toString() {
            return "k = " + types + ", " + draws + " words to length " + length + ", tolerance " + tolerance;
        }
    }

    /**
     * Creates a claim.
     *
     * @param construction creates the construction for a process and a case
     * @param size the stated size of the construction
     * @param rows k, length, draws and tolerance of the cases of each budget
     */
    static ComputedClaim of(
            ComputedClaim.Builder claim,
            BracketLanguage language,
            BiFunction<GenerationProcess, Words, BracketTransformer> construction,
            RecognizerClaim.Size size,
            String... rows) {
        Cases<Words> cases = Cases.of(
                "k, maxLength, words, tolerance",
                row -> new Words(row.integer(0), row.integer(1), row.integer(2), row.number(3)),
                rows);
        return claim.settings("""
            k | 1..64 | 2 | bracket types; without k, maxLength, words and tolerance the cases of the budget are
              tested
            maxLength | 1..1000 | 40 | brackets of the words; longer ones are cut off there
            words | 1..10000 | 10 | how many are drawn
            tolerance | (0, 1) | 0.001 | of the total variation
            q | (0, 1) | | probability of an opening bracket; by default 0.5 of Dyck, 0.3 of Shuffle-Dyck
            r | (0, 1) | | probability that a balanced word goes on; by default 0.9 of Dyck, 0.97 of Shuffle-Dyck
            """)
                .range(scope -> cases.text(scope)
                        + "; every prefix of words of the process, with pi drawn at random, and of words of greatest"
                        + " depth")
                .test((scope, computation) -> {
                    var tally = new Tally();
                    for (Words words : cases.in(scope)) {
                        RandomGenerator random = Tally.random(SEED);
                        GenerationProcess process = process(language, words.types(), scope.settings(), random);
                        BracketTransformer transformer = construction.apply(process, words);
                        size.require(transformer, tally);
                        check(process, words, transformer, computation.model(transformer), random, tally);
                    }
                    return tally.finding("every total variation is below the tolerance", SEED);
                });
    }

    private static void check(
            GenerationProcess process,
            Words words,
            BracketTransformer transformer,
            LanguageModel model,
            RandomGenerator random,
            Tally tally) {
        Tally.Extreme maximum = tally.below("total variation, " + words, "", words.tolerance());
        for (int draw = 0; draw < words.draws() + 2; draw++) {
            int[] brackets = draw < words.draws()
                    ? brackets(process, words.length(), transformer.hasStart(), random)
                    : nested(process.tokens(), words.length(), draw > words.draws());
            double[] variations = variations(process, transformer, model, brackets);
            for (int i = 0; i < variations.length; i++) {
                // NaN counts as the maximum distance.
                double variation = Double.isNaN(variations[i]) ? 1 : variations[i];
                int length = transformer.hasStart() ? i : i + 1;
                maximum.add(
                        variation,
                        () -> words + ": total variation " + variation + " after '"
                                + process.tokens().text(Arrays.copyOf(brackets, length)) + "'");
            }
        }
    }

    private static GenerationProcess process(
            BracketLanguage language, int types, Settings settings, RandomGenerator random) {
        boolean dyck = language == BracketLanguage.DYCK;
        double q = settings.hasAny("q") ? settings.number("q") : dyck ? 0.5 : 0.3;
        double r = settings.hasAny("r") ? settings.number("r") : dyck ? 0.9 : 0.97;
        var tokens = new BracketTokens(types);
        return new GenerationProcess(language, tokens, q, r, shares(types, random), shares(types, random));
    }

    private static List<Double> shares(int types, RandomGenerator random) {
        double[] shares = random.doubles(types, 0.2, 1).toArray();
        double sum = DoubleStream.of(shares).sum();
        return DoubleStream.of(shares).mapToObj(share -> share / sum).toList();
    }

    /**
     * The longest of several sampled words, because most words are short if q is small. Without a start token, the
     * statement covers only words whose first two brackets differ.
     */
    private static int[] brackets(GenerationProcess process, int length, boolean start, RandomGenerator random) {
        int[] longest = {};
        for (int tried = 0; tried < 8 || (!start && longest.length == 0); tried++) {
            Refuse.when(
                    tried == MOST_DRAWS,
                    "q, r",
                    "a process of which 1 in " + MOST_DRAWS + " words begins with two different brackets",
                    process.q() + ", " + process.r());
            int[] word = IntStream.of(process.sample(random, length))
                    .filter(id -> id < process.tokens().brackets())
                    .toArray();
            boolean promised = start || BracketStrings.firstTwoDiffer(word);
            longest = promised && word.length > longest.length ? word : longest;
        }
        return longest;
    }

    /**
     * Brackets of greatest depth, which sampled words do not reach: {@code length} opening brackets, or if
     * {@code closed}, half as many and their closing brackets. Types take turns. With one type, the first two brackets
     * open and close, so that they differ.
     */
    private static int[] nested(BracketTokens tokens, int length, boolean closed) {
        int first = tokens.types() == 1 ? Math.min(2, length) : 0;
        int depth = closed ? (length - first) / 2 : length - first;
        var brackets = new IntArrayList(length);
        if (first > 0) {
            brackets.add(tokens.open(0));
        }
        if (first > 1) {
            brackets.add(tokens.close(0));
        }
        for (int i = 0; i < depth; i++) {
            brackets.add(tokens.open(i % tokens.types()));
        }
        for (int i = depth - 1; closed && i >= 0; i--) {
            brackets.add(tokens.close(i % tokens.types()));
        }
        return brackets.toIntArray();
    }

    /** The total variation distance after each prefix: half the sum of absolute differences. */
    static double[] variations(
            GenerationProcess process, BracketTransformer transformer, LanguageModel model, int... brackets) {
        int first = transformer.hasStart() ? 0 : 1;
        int count = process.tokens().count();
        double[] logits = model.logits(Batch.of(List.of(transformer.input(brackets))));
        double[] variations = new double[brackets.length + 1 - first];
        int[] word = Arrays.copyOf(brackets, brackets.length + 1);
        word[brackets.length] = process.tokens().end();
        double[] law = process.along(first, word);
        for (int i = 0; i < variations.length; i++) {
            double[] probabilities = BracketTransformer.softmax(logits, i * count, count);
            int row = i * count;
            variations[i] = IntStream.range(0, count)
                            .mapToDouble(token -> Math.abs(probabilities[token] - law[row + token]))
                            .sum()
                    / 2;
        }
        return variations;
    }
}
