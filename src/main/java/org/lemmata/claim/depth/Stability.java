package org.lemmata.claim.depth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lemmata.claim.Computation;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Scope;
import org.lemmata.claim.Sequences;
import org.lemmata.claim.Tally;
import org.lemmata.claim.depth.Lemma51.Size;
import org.lemmata.construct.depth.SequenceMemorizerByOneHotEmbedding;
import org.lemmata.construct.depth.SequenceMemorizerByProjection;
import org.lemmata.model.Decoding;
import org.lemmata.model.Generation;
import org.lemmata.model.LanguageModel;
import org.lemmata.token.Batch;
import org.lemmata.token.Vocabulary;

/**
 * Richard (2024), section 3.2, stability: the factor mu_r that follows from the paper's assumption, and its effect on
 * greedy decoding.
 *
 * <p>The factor mu_r is 1 - 3/r at gamma = -1/2 and 1 + 1/r at +1/2. On s, the construction's outputs have a factor 1/r
 * (lemma 5.1). If outputs are multiplied by r to remove it, mu_r is 1 + 1/gamma from r = 2 on: -1 at gamma = -1/2 and 3
 * at +1/2. At -1/2, the head itself then only preserves distances; the choice of a token reduces them. Now let tokens
 * be one-hot, and let the counts of z differ from the counts of s. With gamma in (-1, 0), greedy decoding chooses a
 * token that is too rare in z, so the counts of z never move away from the counts of s. With gamma in (0, 1), it
 * chooses a token that is too frequent in z.
 */
final class Stability {

    private static final long SEED = 3_201;

    private static final int STEPS = 12;

    private static final List<Double> OF_SEQUENCES = List.of(-0.75, -0.5, 0.5, 1.0);

    private static final List<Double> OF_COMPLETIONS = List.of(-0.5, 0.5);

    /**
     * Tolerance relative to the maximum difference: allows for 12 steps with a few rounding errors each in binary64.
     */
    private static final double TOLERANCE = 1e-12;

    /** A tolerance far above rounding errors and far below the error of the printed mu_r. */
    private static final double TOLERANCE_OF_PRINTED = 1e-9;

    private static final String PLACE = "section 3.2, stability";

    static final ComputedClaim PRINTED = ComputedClaim.printed("depth.stability.printed", PLACE, """
        Continue two sequences with one head with uniform attention, value weight v and the positions of Eq. 4: each
        next embedding is the head's output divided by v gamma. As printed, the difference c_r of the two embeddings at
        position r satisfies c_{r+1} = mu_r c_r with mu_r = (1 + (r + 1) gamma) / (r gamma). This is 1 - 1/r for gamma
        = -1/2, and 1 + 3/r for gamma = 1/2.
        """)
            .settings("gamma | (-inf, inf) but 0 | -1/2,1/2 | pulls")
            .range(STEPS + " steps of two real-valued sequences, gamma = {gamma}")
            .test((scope, computation) -> checkPrinted(scope.numbers("gamma"), computation));

    static final ComputedClaim CLAIM = ComputedClaim.corrected("depth.stability", PLACE, """
        Continue two sequences with one head with uniform attention, value weight v and the positions of Eq. 4: each
        next embedding is the head's output divided by v gamma. The difference c_r of the two embeddings at position r
        satisfies c_{r+1} = mu_r c_r with mu_r = (1 + (r - 1) gamma) / (r gamma). For r >= 2, |mu_r| is below 1 if
        gamma = -1/2 and above 1 if gamma = 1/2. If outputs are multiplied by r, to cancel the factor 1/r of lemma 5.1,
        the factor for r >= 2 is 1 + 1/gamma. In greedy completions with one-hot embeddings and v gamma > 0, the L1
        distance between the token counts of completion and training sequence never grows if gamma = -1/2, and never
        shrinks if gamma = 1/2.
        """)
            .settings("""
                gamma | (-inf, inf) but 0 | | pulls; by default -3/4, -1/2, 1/2 and 1 for the real-valued sequences,
                  and -1/2 and 1/2, of which the statement speaks, for completions
                t | 2..100 | 2 | tokens; without t and n those of the budget are tested
                n | 2..100 | 6 | length of a sequence that is completed
                """)
            .range(scope -> """
                %s steps of two real-valued sequences, gamma = %s; completions of every prefix (of 16 drawn ones
                where the sequence is drawn) for %s; gamma = %s
                """.formatted(
                            STEPS,
                            gammas(scope, OF_SEQUENCES),
                            sizes(scope).stream().map(Size::toString).collect(Collectors.joining("; ")),
                            gammas(scope, OF_COMPLETIONS)))
            .beyond(scope -> OF_COMPLETIONS.containsAll(gammas(scope, OF_COMPLETIONS))
                    ? ""
                    : scope.settings().fill("gamma = {gamma}, stated for -1/2 and 1/2"))
            .test(Stability::check);

    private static List<Double> gammas(Scope scope, List<Double> others) {
        return scope.settings().hasAny("gamma") ? scope.numbers("gamma") : others;
    }

    private static List<Size> sizes(Scope scope) {
        int drawn = scope.of(8, 200, 200);
        return scope.settings().hasAny("t", "n")
                ? scope.settings().each("t", "n").stream()
                        .map(one -> Size.of(one.integer("t"), one.integer("n"), drawn))
                        .toList()
                : List.of(new Size(2, scope.of(6, 8, 8), 0), new Size(3, scope.of(4, 5, 5), 0), new Size(5, 24, drawn));
    }

    private static Finding check(Scope scope, Computation computation) {
        var tally = new Tally();
        for (double gamma : gammas(scope, OF_SEQUENCES)) {
            checkFactors(gamma, false, computation::model, tally);
            checkFactors(gamma, true, computation::model, tally);
        }
        RandomGenerator random = Tally.random(SEED);
        for (Size size : sizes(scope)) {
            checkCompletions(size, gammas(scope, OF_COMPLETIONS), random, computation::model, tally);
        }
        return tally.finding(
                "differences follow mu_r; counts never come nearer for gamma > 0, and never move"
                        + " away for gamma < 0",
                SEED);
    }

    static void checkFactors(
            double gamma, boolean scaled, Function<SequenceMemorizerByProjection, LanguageModel> models, Tally tally) {
        double[] differences = differences(STEPS, gamma, scaled, models);
        double scale = Arrays.stream(differences).map(Math::abs).max().orElse(0);
        Tally.Extreme errors = tally.atMost(
                "maximum distance of c_{r+1} from mu_r c_r, over the maximum |c_r|, gamma = " + gamma
                        + (scaled ? ", mu_r = 1 + 1/gamma" : ""),
                "",
                TOLERANCE);
        compare(differences, gamma, scale, r -> scaled ? scaledFactor(r, gamma) : factor(r, gamma), errors);
    }

    private static Finding checkPrinted(List<Double> gammas, Computation computation) {
        var tally = new Tally();
        for (double gamma : gammas) {
            double[] differences = differences(STEPS, gamma, false, computation::model);
            Tally.Extreme errors = tally.atMost(
                    "maximum distance of c_{r+1} from mu_r c_r, gamma = " + gamma, "", TOLERANCE_OF_PRINTED);
            compare(differences, gamma, 1, r -> printedFactor(r, gamma), errors);
        }
        return tally.finding("differences follow mu_r");
    }

    /**
     * Requires that greedy completions never move token counts away from the training sequence's counts (gamma below
     * 0), or never towards them (gamma above 0).
     */
    static void checkCompletions(
            Size size,
            List<Double> gammas,
            RandomGenerator random,
            Function<SequenceMemorizerByOneHotEmbedding, LanguageModel> models,
            Tally tally) {
        int tokens = size.tokens();
        int length = size.length();
        var vocabulary = Memorization.vocabulary(tokens);
        List<int[]> words = size.words(random);
        for (double gamma : gammas) {
            Tally.Extreme steps = tally.atMost(
                    "largest step " + (gamma < 0 ? "away from" : "towards") + " the training sequence's counts, t = "
                            + tokens + ", n = " + length + ", gamma = " + gamma,
                    "tokens",
                    0);
            for (int[] word : words) {
                LanguageModel model = models.apply(new SequenceMemorizerByOneHotEmbedding(vocabulary, word, gamma));
                for (Generation generation :
                        Generation.complete(model, prefixes(size, random), length, new Decoding.Greedy())) {
                    steps.count(1);
                    for (int r = generation.prefixLength(); r < length; r++) {
                        int growth = distance(generation.tokens(), word, r + 1, tokens)
                                - distance(generation.tokens(), word, r, tokens);
                        int after = r;
                        steps.add(
                                gamma < 0 ? growth : -growth,
                                () -> "training " + Memorization.text(word) + ", gamma = " + gamma + ", completed "
                                        + Memorization.text(generation.tokens()) + " from " + generation.prefixLength()
                                        + " tokens: the distance of counts changes by " + growth + " after " + after);
                    }
                }
            }
        }
    }

    /** The sum over tokens of |count in z - count in s|, among the first r tokens. */
    private static int distance(int[] z, int[] s, int r, int tokens) {
        int[] counts = new int[tokens];
        for (int i = 0; i < r; i++) {
            counts[z[i]]++;
            counts[s[i]]--;
        }
        return Arrays.stream(counts).map(Math::abs).sum();
    }

    private static List<int[]> prefixes(Size size, RandomGenerator random) {
        return size.drawn() == 0
                ? IntStream.range(1, size.length())
                        .boxed()
                        .flatMap(r -> Sequences.every(size.tokens(), r).stream())
                        .toList()
                : Stream.generate(() -> random.ints(random.nextInt(1, size.length()), 0, size.tokens())
                                .toArray())
                        .limit(16)
                        .toList();
    }

    /** The embeddings of two tokens that define the positions. The embeddings of both sequences' tokens follow them. */
    private static final double[][] UNITS = {{1}, {-1}};

    private static final double FIRST_DIFFERENCE = 1;

    static double factor(int r, double gamma) {
        return (1 + (r - 1) * gamma) / (r * gamma);
    }

    /** The factor if outputs are multiplied by r: 1/gamma for r = 1, otherwise 1 + 1/gamma. */
    static double scaledFactor(int r, double gamma) {
        return r == 1 ? 1 / gamma : 1 + 1 / gamma;
    }

    static double printedFactor(int r, double gamma) {
        return (1 + (r + 1) * gamma) / (r * gamma);
    }

    /**
     * c_1 = 1, ..., c_n: the differences between two real-valued sequences that a head of width 1 continues with its
     * own output, as in Richard (2024), section 3.2.
     *
     * <p>Let y_r(z) = (v / r) sum_{i &lt;= r} (E_{z_i} + B_i), the logit of a token with E = 1. The paper continues
     * both s and z with E_{z_{r+1}} = y_r(z) / (v gamma). Positions cancel in c_r = E_{s_r} - E_{z_r}: sum_{i &lt;= r}
     * c_i = r gamma c_{r+1}, so c_{r+1} = mu_r c_r with mu_r = (1 + (r - 1) gamma) / (r gamma). The paper prints r + 1
     * instead of r - 1. By lemma 5.1, the output on s itself is v gamma E_{s_{r+1}} / r. If sequences are continued
     * accordingly, with E_{z_{r+1}} = r y_r(z) / (v gamma), the factor is 1/gamma for r = 1 and 1 + 1/gamma from r = 2
     * on.
     *
     * @param scaled whether outputs are multiplied by r
     */
    static double[] differences(
            int length, double gamma, boolean scaled, Function<SequenceMemorizerByProjection, LanguageModel> models) {
        double v = Math.signum(gamma);
        double[][] embedding = Arrays.copyOf(UNITS, 2 + 2 * length);
        Arrays.fill(embedding, 2, embedding.length, new double[] {0});
        embedding[2] = new double[] {1};
        embedding[2 + length] = new double[] {1 - FIRST_DIFFERENCE};
        int[] word = IntStream.range(0, length).map(i -> i % 3 == 0 ? 0 : 1).toArray();
        var vocabulary = new Vocabulary(
                IntStream.range(0, embedding.length).mapToObj(Integer::toString).toList());
        double[] differences = new double[length];
        differences[0] = FIRST_DIFFERENCE;
        for (int r = 1; r < length; r++) {
            LanguageModel model =
                    models.apply(new SequenceMemorizerByProjection(vocabulary, embedding, word, gamma, v));
            List<int[]> sequences = new ArrayList<>();
            sequences.add(IntStream.range(2, 2 + r).toArray());
            sequences.add(IntStream.range(2 + length, 2 + length + r).toArray());
            double[] logits = model.logits(Batch.of(sequences));
            int columns = embedding.length;
            for (int sequence = 0; sequence < 2; sequence++) {
                double output = logits[((sequence + 1) * r - 1) * columns];
                embedding[2 + sequence * length + r] = new double[] {(scaled ? r : 1) * output / (v * gamma)};
            }
            differences[r] = embedding[2 + r][0] - embedding[2 + length + r][0];
        }
        return differences;
    }

    /** Adds |c_{r+1} - mu_r c_r| / {@code scale} for each r; {@code factors} computes mu_r. */
    private static void compare(
            double[] differences, double gamma, double scale, IntToDoubleFunction factors, Tally.Extreme errors) {
        for (int r = 1; r < differences.length; r++) {
            double before = differences[r - 1];
            double after = differences[r];
            double factor = factors.applyAsDouble(r);
            String place = "gamma = " + gamma + ", r = " + r;
            // Adding 0.0 converts -0 to 0 for display.
            errors.add(
                    Math.abs(after - factor * before) / scale,
                    () -> place + ": from " + before + " to " + after + " against a factor of " + (factor + 0.0));
        }
    }
}
