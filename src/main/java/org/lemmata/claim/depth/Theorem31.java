package org.lemmata.claim.depth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.lemmata.claim.Budget;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Scope;
import org.lemmata.claim.Tally;
import org.lemmata.construct.depth.RandomProjection;
import org.lemmata.construct.depth.SequenceMemorizerByProjection;
import org.lemmata.model.LanguageModel;
import org.lemmata.setting.Settings;

/** What the claims on Richard (2024), theorem 3.1 share: sequences with their random projections, and the bounds. */
final class Theorem31 {

    static final long SEED = 3_101;

    /** v gamma over n ln(nt). */
    private static final List<Integer> FACTORS = List.of(3, 6);

    /** Of the ranges of claims. */
    static final String SEQUENCES = "; a drawn sequence with gamma = -1/2, and the one that repeats the token of the"
            + " minimum gap with gamma = +1/2; v gamma = 3 and 6 times n ln(nt), rounded up to an integer v";

    private static final String[] NAMES = {"t", "n", "epsilon"};

    private Theorem31() {}

    /** Sequences of {@code length} of {@code tokens} tokens, with one drawn projection. */
    record Size(int tokens, int length, double epsilon) {

        static Size of(Settings one) {
            return new Size(one.integer("t"), one.integer("n"), one.number("epsilon"));
        }

        /** Enough columns for the paper, which counts the n tokens of s, and for all t tokens and the origin. */
        int width() {
            return RandomProjection.minWidth(Math.max(tokens + 1, length), epsilon);
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "t = %d, n = %d, epsilon = %s, d = %d", tokens, length, epsilon, width());
        }
    }

    /** @param draws how often the projection was drawn */
    record Case(Size size, SequenceMemorizerByProjection construction, int draws) {

        /** v gamma / n. */
        double exponent() {
            return construction.v() * construction.gamma() / size.length();
        }

        /** nt exp(-v gamma / n + 2 epsilon), as printed. */
        double printedBound() {
            return (double) size.length() * size.tokens() * Math.exp(-exponent() + 2 * size.epsilon());
        }

        /** For lists of figures. */
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

    private static List<Size> sizes(Budget budget) {
        return budget.growing(
                List.of(
                        new Size(300, 300, 0.5),
                        new Size(2, 8, 0.25),
                        new Size(16, 24, 0.25),
                        new Size(64, 64, 0.25),
                        new Size(100, 100, 0.4)),
                List.of(new Size(300, 300, 0.25), new Size(1000, 200, 0.25)),
                List.of(new Size(1000, 1000, 0.125)));
    }

    /** What is found of the models of some cases. */
    @FunctionalInterface
    interface Test {
        Finding find(List<Case> cases, Function<SequenceMemorizerByProjection, LanguageModel> models);
    }

    /**
     * A claim on the cases of a budget, or of a user's size.
     *
     * @param claim its first steps
     * @param how what is looked at of each case
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
        return scope.each(sizes(scope.budget()), Size::of, NAMES);
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

    /** With an embedding: a drawn sequence, and the hardest one. */
    static List<Case> cases(Size size, double[][] embedding, int draws, RandomGenerator random) {
        var vocabulary = Memorization.vocabulary(size.tokens());
        List<Case> cases = new ArrayList<>();
        // The sign of gamma is that of v, and cancels; so each serves for one sequence.
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

    /** The sequence that repeats the token of the minimum gap: the hardest one to complete. */
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
}
