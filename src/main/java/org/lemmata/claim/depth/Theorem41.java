package org.lemmata.claim.depth;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.lemmata.argument.Refuse;
import org.lemmata.claim.Computation;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.NearestModels;
import org.lemmata.claim.Scope;
import org.lemmata.claim.Tally;
import org.lemmata.construct.Construction;
import org.lemmata.construct.depth.DyckCompleterByPositionSums;
import org.lemmata.construct.depth.SequenceMemorizerByProjection;
import org.lemmata.measure.Completions;
import org.lemmata.model.Decoding;
import org.lemmata.model.Generation;
import org.lemmata.model.LanguageModel;
import org.lemmata.setting.Settings;
import org.lemmata.source.Source;
import org.lemmata.task.depth.DyckWords;

/** The claims about Richard (2024), theorem 4.1; the theorem's bounds, and the model of a training word. */
public final class Theorem41 {

    /** The theorem's choice of gamma for generalization; the converse holds for every gamma above 0. */
    public static final double ATTRACTIVE = -0.5;

    public static final double REPULSIVE = 0.5;

    /** The settings of the training words. N above 128 would take minutes. */
    private static final String WORDS = """
        N | 1..128 | | half the length of the words; by default those of the budget
        seeds | 1..1000 | | training words drawn for each N that is too large to test all words; by default as the
          budget has it
        """;

    private static final String VALUE_WEIGHT = """

        v | (-inf, inf) | | value weight, stated for v gamma > N²; by default the smallest integer in size; if a format
          is too narrow for it, the nearest v for which the format suffices
        """;

    static final long GAMMA_SEED = 6_100;

    /** The setting gamma of claims about completing the training word, which hold for every nonzero gamma. */
    static final String PULL = """
        gamma | (-inf, inf) but 0 | -0.5,0.5,%s,%s | weight of the next training token in the positions; by default the paper's and
          drawn ones\
        """.formatted(drawn(-1), drawn(1));

    /** The setting gamma of the converse, which holds for every gamma above 0. */
    static final String PUSH = """
        gamma | (-inf, inf) but 0; stated (0, inf) | 0.5,%s | weight of the next training token in the positions; by
          default the paper's and drawn ones\
        """.formatted(drawn(1));

    private Theorem41() {}

    /** A random gamma with the given sign: |gamma| is log-uniform from 1/16 to 8 and rounded to a multiple of 1/64. */
    private static double drawn(int sign) {
        return sign * Math.rint(64 * Math.pow(2, Tally.random(GAMMA_SEED + sign).nextDouble(-4, 3))) / 64;
    }

    /** Creates the model of a training word. Unit tests supply models that refute the claim. */
    @FunctionalInterface
    interface Models {
        LanguageModel of(int[] word, double gamma);
    }

    @FunctionalInterface
    interface Test {
        Finding find(DyckSizes sizes, List<Double> gammas, Models models);
    }

    /**
     * Creates a claim about the theorem's models.
     *
     * @param gamma the row of the settings table for gamma
     * @param range the end of the range: a description of the test of each model
     */
    static ComputedClaim claim(ComputedClaim.Builder claim, String gamma, String range, Test test) {
        return claim.settings(WORDS + gamma + VALUE_WEIGHT)
                .range(scope -> DyckSizes.of(scope).describe() + "; gamma = {gamma}, v = "
                        + scope.settings().text("v").orElse("the smallest integer in size beyond the bound") + range)
                .beyond(scope -> isWeak(scope) ? "v gamma <= N², stated for v gamma > N²" : "")
                .test((scope, computation) -> {
                    Settings settings = scope.settings();
                    var nearest = new NearestModels(computation, "v");
                    return nearest.withVariations(test.find(
                            DyckSizes.of(scope), scope.numbers("gamma"), (word, pull) -> {
                                if (settings.hasAny("v")) {
                                    return computation.model(withValueWeight(word, pull, settings.number("v")));
                                }
                                DyckCompleterByPositionSums smallest = construction(word, pull);
                                String of = scope.numbers("gamma").size() == 1 ? "" : ", gamma = " + pull;
                                return nearest.of(smallest, (long) smallest.v() + " at N = " + word.length / 2 + of);
                            }));
                });
    }

    /** Creates a claim about a part of the theorem. The part's name is also the end of the claim's id. */
    static ComputedClaim claim(String part, String text, String gamma, String range, Test test) {
        var source = new Source(DyckCompleterByPositionSums.SOURCE.paper(), "theorem 4.1, " + part);
        return claim(ComputedClaim.asStated("depth.theorem-4.1." + part, source, text), gamma, range, test);
    }

    private static boolean isWeak(Scope scope) {
        return scope.settings().hasAny("v")
                && DyckSizes.of(scope).pairs().stream()
                        .anyMatch(pairs -> scope.numbers("gamma").stream()
                                .anyMatch(gamma -> !isStrong(scope.number("v"), gamma, pairs)));
    }

    private static boolean isStrong(double v, double gamma, int pairs) {
        return v * gamma > (double) pairs * pairs;
    }

    /** The theorem's construction; if v violates the theorem's hypothesis, the same weights with this v. */
    private static Construction withValueWeight(int[] word, double gamma, double v) {
        return isStrong(v, gamma, word.length / 2)
                ? new DyckCompleterByPositionSums(DyckWords.BRACKETS, word, gamma, v)
                : new SequenceMemorizerByProjection(DyckWords.BRACKETS, new double[][] {{1}, {-1}}, word, gamma, v);
    }

    static Models on(Computation computation) {
        return (word, gamma) -> computation.model(construction(word, gamma));
    }

    public static DyckCompleterByPositionSums construction(int[] word, double gamma) {
        return new DyckCompleterByPositionSums(DyckWords.BRACKETS, word, gamma);
    }

    static double lossBound(int pairs) {
        return 8.0 * pairs * pairs * Math.exp(-pairs);
    }

    static double failureBound(int pairs) {
        return 2.0 * pairs * Math.exp(-pairs);
    }

    static final ComputedClaim LOSS = claim(
            ComputedClaim.asStated("depth.theorem-4.1.loss", DyckCompleterByPositionSums.SOURCE, """
                For any training word of D_2N (the balanced words of 2N brackets), a head of width 1 with uniform
                attention, embeddings 1 for '(' and -1 for ')' and the positions of Eq. 4, with v gamma > N², has a
                cross-entropy loss below 8N² exp(-N) on that word, summed over its tokens after the first. It has exactly
                2N + 3 weights: 2N positions, two embeddings and v.
                """),
            PULL,
            "",
            Theorem41::loss);

    static Finding loss(DyckSizes sizes, List<Double> gammas, Models models) {
        var tally = new Tally();
        for (int pairs : sizes.pairs()) {
            double bound = lossBound(pairs);
            Tally.Extreme losses = tally.below("maximum loss, N = " + pairs, "nats", bound);
            for (int[] word : sizes.trainingWords(pairs)) {
                for (double gamma : gammas) {
                    LanguageModel model = models.of(word, gamma);
                    double loss = Memorization.loss(model, word);
                    losses.add(loss, () -> text(word, gamma) + ": loss " + loss + " against " + bound);
                    int weights = model.architecture().parameterCount();
                    tally.require(weights == 2 * pairs + 3, () -> text(word, gamma) + ": " + weights + " weights");
                }
            }
        }
        return tally.finding("every loss is below its bound, with 2N + 3 weights", sizes.seeds());
    }

    static final ComputedClaim MEMORIZATION = claim(
            "memorization",
            """
            Let the head of theorem 4.1 have value weight v and position parameter gamma. If v gamma > N², it completes
            any nonempty prefix of its training word of 2N brackets to this word with probability at least 1 - 2N
            exp(-N).
            """,
            PULL,
            "; every prefix of them, greedily and by the exact probability under sampling",
            Theorem41::memorized);

    static Finding memorized(DyckSizes sizes, List<Double> gammas, Models models) {
        var tally = new Tally();
        for (int pairs : sizes.pairs()) {
            Tally.Extreme failures = tally.atMost(
                    "maximum probability of another word, N = " + pairs, "probability", failureBound(pairs));
            for (int[] word : sizes.trainingWords(pairs)) {
                List<int[]> prefixes = IntStream.range(1, word.length)
                        .mapToObj(r -> Arrays.copyOf(word, r))
                        .toList();
                for (double gamma : gammas) {
                    LanguageModel model = models.of(word, gamma);
                    // Failure after the first token is at least as likely as after any longer prefix.
                    double otherWord = -Math.expm1(-Memorization.loss(model, word));
                    failures.add(otherWord, () -> text(word, gamma) + ": fails with probability " + otherWord);
                    Completions greedy = greedy(model, prefixes, word.length, tokens -> Arrays.equals(tokens, word));
                    failures.count(greedy.count());
                    greedy.failures().forEach(failure -> tally.refute(text(word, gamma, failure)));
                }
            }
        }
        return tally.finding(
                "every prefix is completed to its word greedily, and within the bound under sampling", sizes.seeds());
    }

    static final ComputedClaim GENERALIZATION =
            claim("generalization", """
                Let the head of theorem 4.1 have the position parameter gamma = -1/2 and a value weight v with -v > 2N².
                It completes any nonempty prefix of any word of D_2N (the balanced words of 2N brackets), of any depth,
                to a word of D_2N with probability at least 1 - 2N exp(-N).
                """, """
                gamma | (-inf, inf) but 0; stated -1/2 | -1/2 | weight of the next training token in the positions;
                  greedy decoding works for -2 < gamma < 0\
                """, """
                ; for each, the exact probability of failure under sampling for every stack size after every length, and
                greedy completions of every prefix (of drawn prefixes where the word is drawn)
                """, (sizes, gammas, models) -> completed(sizes, gammas, models, false));

    static final ComputedClaim CONVERSE =
            claim("converse", """
                Let the head of theorem 4.1 have value weight v and position parameter gamma, with gamma > 0 and v gamma
                > N². Take a prefix of r tokens of a word of D_2N, and the first r tokens of the training word. If their
                numbers of open brackets differ, the head completes the prefix to an invalid word with high probability.
                Read as: with probability at least 1 - 2N exp(-N).
                """, PUSH, """
                ; for each, the exact probability of a valid completion under sampling for every other stack size after
                every length, and greedy completions of every such prefix (of drawn prefixes where the word is drawn)
                """, (sizes, gammas, models) -> completed(sizes, gammas, models, true));

    /**
     * Tests that every prefix of every word of D_2N is completed to a word of D_2N; or tests the converse: no prefix is
     * completed to a word if its stack size differs from the training word's stack size.
     *
     * @param converse whether to test the converse
     */
    static Finding completed(DyckSizes sizes, List<Double> gammas, Models models, boolean converse) {
        // In D_2, every prefix has the same stack size as the training word.
        Refuse.when(converse && sizes.pairs().stream().allMatch(n -> n == 1), "N", "one of at least 2", 1);
        var tally = new Tally();
        for (int pairs : sizes.pairs()) {
            boolean exhaustive = sizes.isExhaustive(pairs);
            RandomGenerator random = Tally.random(DyckSizes.FIRST_PREFIX_SEED + pairs);
            List<int[]> all = exhaustive ? DyckSizes.prefixes(pairs) : List.of();
            List<int[]> probes = sizes.probes(pairs);
            double bound = failureBound(pairs);
            double maximum = 0;
            int completions = 0;
            int wrong = 0;
            List<int[]> words = sizes.trainingWords(pairs);
            for (int[] word : words) {
                List<int[]> drawn = exhaustive ? all : DyckSizes.drawPrefixes(pairs, sizes.words(), random);
                List<int[]> given = drawn.stream()
                        .filter(prefix -> !converse
                                || DyckSizes.stack(prefix, prefix.length) != DyckSizes.stack(word, prefix.length))
                        .toList();
                for (double gamma : gammas) {
                    LanguageModel model = models.of(word, gamma);
                    CompletionLaw law = CompletionLaw.of(model, pairs, probes);
                    double probability = converse ? law.maxSuccessOffThePathOf(word) : law.maxFailure();
                    maximum = Math.max(maximum, probability);
                    tally.require(
                            probability <= bound,
                            () -> text(word, gamma) + (converse ? ": succeeds" : ": fails") + " with probability "
                                    + probability);
                    Completions greedy =
                            greedy(model, given, word.length, tokens -> DyckWords.isBalanced(tokens) != converse);
                    completions += greedy.count();
                    wrong += greedy.failures().size();
                    greedy.failures().forEach(failure -> tally.refute(text(word, gamma, failure)));
                }
            }
            if (!converse || pairs > 1) {
                String what = converse ? "a valid" : "an invalid";
                long n = (long) gammas.size() * words.size();
                tally.atMost(
                        "maximum probability of " + what + " completion, N = " + pairs,
                        maximum,
                        "probability",
                        n,
                        bound);
            }
            if (!converse) {
                String drawn = exhaustive ? "" : " given the training words drawn";
                tally.measure(Completions.failureRate(
                        "invalid greedy completions" + drawn + ", N = " + pairs, completions, wrong, exhaustive));
            }
        }
        return tally.finding(
                converse
                        ? "greedy decoding completes no prefix with another stack size validly, and"
                                + " sampling does so with at most the stated probability"
                        : "every prefix is completed to a balanced word greedily, and within the bound under sampling",
                sizes.seeds());
    }

    static Completions greedy(LanguageModel model, List<int[]> prefixes, int length, Predicate<int[]> right) {
        var decoding = new Decoding.Greedy();
        return Completions.of(model, prefixes, length, decoding, generation -> right.test(generation.tokens()));
    }

    static String text(int[] word, double gamma) {
        return "training word " + DyckWords.text(word) + ", gamma = " + gamma;
    }

    static String text(int[] word, double gamma, Generation generation) {
        return text(word, gamma) + ", prefix " + DyckWords.text(generation.prefix()) + ": completed to "
                + DyckWords.text(generation.tokens());
    }
}
