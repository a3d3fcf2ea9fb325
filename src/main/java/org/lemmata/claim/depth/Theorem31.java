package org.lemmata.claim.depth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Scope;
import org.lemmata.claim.Tally;
import org.lemmata.construct.depth.RandomProjection;
import org.lemmata.construct.depth.SequenceMemorizerByProjection;
import org.lemmata.model.LanguageModel;
import org.lemmata.setting.Settings;

/**
 * The corrected claims about Richard (2024), theorem 3.1, and the parts that all claims about it share: sequences with
 * random projections, and bounds.
 */
final class Theorem31 {

    static final long SEED = 3_101;

    /** Values of v gamma / (n ln(nt)). */
    private static final List<Integer> FACTORS = List.of(3, 6);

    /** Part of the claims' ranges. */
    static final String SEQUENCES = "; a drawn sequence with gamma = -1/2, and the one that repeats the token of the"
            + " minimum gap with gamma = +1/2; v gamma = 3 and 6 times n ln(nt), rounded up to an integer v";

    private static final String[] NAMES = {"t", "n", "epsilon"};

    /** Sequences of {@code length} tokens from a vocabulary of {@code tokens}, with one random projection. */
    record Size(int tokens, int length, double epsilon) {

        static Size of(Settings one) {
            return new Size(one.integer("t"), one.integer("n"), one.number("epsilon"));
        }

        /** Enough columns both for the n tokens of s, as in the paper, and for all t tokens and the origin. */
        int width() {
            return RandomProjection.minWidth(Math.max(tokens + 1, length), epsilon);
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "t = %d, n = %d, epsilon = %s, d = %d", tokens, length, epsilon, width());
        }
    }

    /** @param draws the number of draws until the projection was accepted */
    record Case(Size size, SequenceMemorizerByProjection construction, int draws) {

        Memorization memorization(Function<SequenceMemorizerByProjection, LanguageModel> models) {
            return Memorization.of(models.apply(construction), construction.word());
        }

        void requireFailure(Tally tally, Memorization memorization, double bound) {
            String name = "probability of another sequence, " + text();
            tally.requireAtMost(name, memorization.failure(), "probability", size.length() - 1L, bound);
        }

        /** v gamma / n. */
        double exponent() {
            return construction.v() * construction.gamma() / size.length();
        }

        /** nt exp(-v gamma / n + 2 epsilon), as printed. */
        double printedBound() {
            return (double) size.length() * size.tokens() * Math.exp(-exponent() + 2 * size.epsilon());
        }

        String text() {
            return String.format(
                    Locale.ROOT,
                    "%s, v gamma / n = %.1f, %s",
                    size,
                    exponent(),
                    Memorization.text(construction.word()));
        }
    }

    static List<Size> sizes(Settings settings) {
        return settings.each(NAMES).stream().map(Size::of).toList();
    }

    @FunctionalInterface
    interface Test {
        Finding find(List<Case> cases, Function<SequenceMemorizerByProjection, LanguageModel> models);
    }

    /**
     * A claim tested on the cases of a budget, or of a user's size.
     *
     * @param claim its first steps
     * @param how the end of the range: what is tested in each case
     */
    static ComputedClaim claim(ComputedClaim.Builder claim, String how, Test test) {
        return claim.settings("""
            t | 2..1000 | 16 | tokens; without any setting the sizes of the budget are tested
            n | 2..1000 | 24 | length of the sequence
            epsilon | [0.1, 1) | 0.25 | by how much squared distances may be off
            seeds | 1..1000 | 1 | projections drawn for each size
            """)
                .range(scope -> range(scope.integer("seeds"), sizes(scope)) + how)
                .test((scope, computation) -> {
                    List<Size> sizes = Collections.nCopies(scope.integer("seeds"), sizes(scope)).stream()
                            .flatMap(List::stream)
                            .toList();
                    return test.find(cases(sizes), computation::model);
                });
    }

    private static List<Size> sizes(Scope scope) {
        return scope.cases(
                String.join(", ", NAMES),
                row -> new Size(row.get(0).intValue(), row.get(1).intValue(), row.get(2)),
                "300,300,0.5; 2,8,0.25; 16,24,0.25; 64,64,0.25; 100,100,0.4",
                "300,300,0.25; 1000,200,0.25",
                "1000,1000,0.125");
    }

    static List<Case> cases(List<Size> sizes) {
        RandomGenerator random = Tally.random(SEED);
        List<Case> cases = new ArrayList<>();
        for (Size size : sizes) {
            var projection = RandomProjection.draw(size.tokens(), size.width(), size.epsilon(), random);
            cases.addAll(cases(size, projection.embedding(), projection.draws(), random));
        }
        return cases;
    }

    /** The cases of an embedding: a random sequence, and the hardest one. */
    static List<Case> cases(Size size, double[][] embedding, int draws, RandomGenerator random) {
        var vocabulary = Memorization.vocabulary(size.tokens());
        List<Case> cases = new ArrayList<>();
        // The signs of gamma and v are equal and cancel, so each sign is tested with one sequence.
        Map<Double, int[]> words = new LinkedHashMap<>();
        words.put(-0.5, random.ints(size.length(), 0, size.tokens()).toArray());
        words.put(0.5, worst(embedding, size.length()));
        words.forEach((gamma, word) -> {
            for (int factor : FACTORS) {
                double minimum = factor * size.length() * Math.log((double) size.length() * size.tokens());
                double v = Math.signum(gamma) * Math.ceil(minimum / Math.abs(gamma));
                var head = new SequenceMemorizerByProjection(vocabulary, embedding, word, gamma, v);
                cases.add(new Case(size, head, draws));
            }
        });
        return cases;
    }

    /** The hardest sequence to complete: the one that repeats the token with the minimum gap. */
    private static int[] worst(double[][] embedding, int length) {
        double[] gaps = RandomProjection.gaps(embedding);
        int token = 0;
        for (int i = 1; i < gaps.length; i++) {
            token = gaps[i] < gaps[token] ? i : token;
        }
        int[] word = new int[length];
        Arrays.fill(word, token);
        return word;
    }

    static String range(int seeds, List<Size> sizes) {
        return seeds + " drawn " + (seeds == 1 ? "projection" : "projections") + " for each of "
                + sizes.stream().map(size -> "(" + size + ")").collect(Collectors.joining(", ")) + SEQUENCES;
    }

    /** Randomly projected tokens memorize a sequence; corrected by multiplying epsilon by v gamma / n. */
    static final ComputedClaim MEMORIZATION = claim(
            ComputedClaim.corrected("depth.theorem-3.1", SequenceMemorizerByProjection.SOURCE, """
                With d >= 4 ln(t + 1) / (epsilon²/2 - epsilon³/3) columns an embedding E that keeps the distances of
                all tokens and the origin is drawn in polynomial time; the head then completes any prefix of its
                training sequence to the sequence with probability at least 1 - nt exp(-(v gamma / n) gap), gap = min_i
                (|E_i|² - max_j E_i·E_j) >= 1 - 2 epsilon.
                """),
            "; every prefix, greedily and by the exact probability under sampling",
            Theorem31::memorized);

    static Finding memorized(List<Case> cases, Function<SequenceMemorizerByProjection, LanguageModel> models) {
        var tally = new Tally();
        int draws = 0;
        int maxTokens = 0;
        for (Case one : cases) {
            Memorization memorization = one.memorization(models);
            tally.require(
                    memorization.departures().isEmpty(),
                    () -> one.text() + ": fails greedily after " + memorization.departures() + " tokens");
            double gap = one.construction().gap();
            double least = 1 - 2 * one.size().epsilon();
            tally.require(gap >= least, () -> one.text() + ": has a gap of " + gap);
            if (least > 0) {
                tally.atLeast("gap, " + one.text(), gap, "", 1, least);
            }
            draws = Math.max(draws, one.draws());
            maxTokens = Math.max(maxTokens, one.size().tokens());
            one.requireFailure(tally, memorization, one.construction().failureBound());
        }
        // At the smallest d, t + 1 points need t + 1 draws on average.
        tally.atMost("largest number of draws of a projection", draws, "draws", cases.size(), maxTokens + 1.0);
        return tally.finding(
                "every prefix is completed to its sequence greedily, and within the bound under sampling", SEED);
    }

    /**
     * The loss bound, corrected like the probability, and without the factor 2n.
     *
     * <p>-log p(s_{r+1}) = log(1 + sum_j exp(logit_j - logit_{s_{r+1}})) &lt;= t exp(-(v gamma / n) gap), and there are
     * n - 1 terms, so the bound of the probability of failure also holds for the loss.
     */
    static final ComputedClaim LOSS = claim(
            ComputedClaim.corrected("depth.theorem-3.1.loss", "theorem 3.1, loss", """
                The cross-entropy loss of the head on its training sequence is at most nt exp(-(v gamma / n) gap), with
                E as in depth.theorem-3.1, so below 2n²t exp(-(v gamma / n) (1 - 2 epsilon)).
                """),
            "",
            (cases, models) -> loss(cases, models, one -> one.construction().failureBound()));

    static Finding loss(
            List<Case> cases,
            Function<SequenceMemorizerByProjection, LanguageModel> models,
            ToDoubleFunction<Case> bounds) {
        var tally = new Tally();
        for (Case one : cases) {
            double loss = one.memorization(models).loss();
            tally.requireAtMost(
                    "loss, " + one.text(), loss, "nats", one.size().length() - 1L, bounds.applyAsDouble(one));
        }
        return tally.finding("every loss is within its bound", SEED);
    }
}
