package org.lemmata.claim.depth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.lemmata.claim.Cases;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;
import org.lemmata.construct.depth.RandomProjection;
import org.lemmata.construct.depth.SequenceMemorizerByProjection;
import org.lemmata.model.LanguageModel;

/** The claims about Richard (2024), theorem 3.1, corrected and as printed, and the printed claim about scaling. */
final class Theorem31 {

    static final long SEED = 3_101;

    private static final List<Integer> FACTORS = List.of(3, 6);

    static final String SEQUENCES = "; a drawn sequence with gamma = -1/2, and the one that repeats the token of the"
            + " minimum gap with gamma = +1/2; v gamma = 3 and 6 times n ln(nt), rounded up to an integer v";

    /** The size of a test: t = {@code tokens}, n = {@code length}, and the projection's error {@code epsilon}. */
    record Size(int tokens, int length, double epsilon) {

        static Cases<Size> cases(String... rows) {
            return Cases.of("t, n, epsilon", row -> new Size(row.integer(0), row.integer(1), row.number(2)), rows);
        }

        /**
         * A number of columns that is sufficient for the n tokens of s, as in the paper, and for all t tokens and the
         * origin.
         */
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

    private static final Cases<Size> SIZES = Size.cases(
            "300,300,0.5; 2,8,0.25; 16,24,0.25; 64,64,0.25; 100,100,0.4",
            "300,300,0.25; 1000,200,0.25",
            "1000,1000,0.125");

    /**
     * Creates a claim that is tested on the cases of a budget or of a user's size.
     *
     * @param how the end of the range: a description of the test of each case
     */
    private static ComputedClaim claim(
            ComputedClaim.Builder claim,
            String how,
            BiFunction<List<Case>, Function<SequenceMemorizerByProjection, LanguageModel>, Finding> test) {
        return claim.settings("""
            t | 2..1000 | 16 | tokens; without any setting the sizes of the budget are tested
            n | 2..1000 | 24 | length of the sequence
            epsilon | [0.1, 1) | 0.25 | by how much squared distances may be off
            seeds | 1..1000 | 1 | projections drawn for each size
            """)
                .range(scope -> range(scope.integer("seeds"), SIZES.in(scope)) + how)
                .test((scope, computation) -> {
                    List<Size> sizes = Collections.nCopies(scope.integer("seeds"), SIZES.in(scope)).stream()
                            .flatMap(List::stream)
                            .toList();
                    return test.apply(cases(sizes), computation::model);
                });
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

    /** The sequence that is hardest to complete: it repeats the token with the minimum gap. */
    private static int[] worst(double[][] embedding, int length) {
        double[] gaps = RandomProjection.gaps(embedding);
        int token = IntStream.range(0, gaps.length)
                .reduce((a, b) -> gaps[b] < gaps[a] ? b : a)
                .orElseThrow();
        return IntStream.generate(() -> token).limit(length).toArray();
    }

    static String range(int seeds, List<Size> sizes) {
        return seeds + " drawn " + (seeds == 1 ? "projection" : "projections") + " for each of "
                + sizes.stream().map(size -> "(" + size + ")").collect(Collectors.joining(", ")) + SEQUENCES;
    }

    /** Randomly projected tokens memorize a sequence; corrected by multiplying epsilon by v gamma / n. */
    static final ComputedClaim MEMORIZATION = claim(
            ComputedClaim.corrected("depth.theorem-3.1", SequenceMemorizerByProjection.SOURCE, """
                Let 0 < epsilon < 1, and let E embed t tokens in d >= 4 ln(t + 1) / (epsilon²/2 - epsilon³/3) columns,
                with every |E_i|² within 1 ± epsilon and every |E_i - E_j|² within 2 (1 ± epsilon). Such an E is drawn
                in expected polynomial time. Take a head with uniform attention, embedding E, value matrix v I and the
                positions of Eq. 4 with parameter gamma, where v gamma > 0. It completes any prefix of its training
                sequence of n tokens to the sequence with probability at least 1 - nt exp(-(v gamma / n) gap). Here gap
                = min_i (|E_i|² - max_{j != i} E_i·E_j), which is at least 1 - 2 epsilon.
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
        // With enough columns, a projection of t + 1 points is accepted after at most t + 1 draws on average.
        tally.atMost("largest number of draws of a projection", draws, "draws", cases.size(), maxTokens + 1.0);
        return tally.finding(
                "every prefix is completed to its sequence greedily, and within the bound under sampling", SEED);
    }

    /**
     * The loss bound, corrected like the probability, and without the factor 2n.
     *
     * <p>-log p(s_{r+1}) = log(1 + sum_j exp(logit_j - logit_{s_{r+1}})) &lt;= t exp(-(v gamma / n) gap), and there are
     * n - 1 terms, so the bound of the failure probability is also a bound of the loss.
     */
    static final ComputedClaim LOSS = claim(
            ComputedClaim.corrected("depth.theorem-3.1.loss", "theorem 3.1, loss", """
                Take the head of depth.theorem-3.1, with embedding E, value matrix v I and positions with parameter
                gamma, where v gamma > 0, and let gap = min_i (|E_i|² - max_{j != i} E_i·E_j). The cross-entropy loss of
                the head on its training sequence of n out of t tokens is at most nt exp(-(v gamma / n) gap). It is
                therefore below 2n²t exp(-(v gamma / n) (1 - 2 epsilon)).
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

    /** The gap of the frame: slightly above 1, because the embedding is rounded. */
    private static final double GAP = 1.05;

    private static final double STEPS = 0x1p12;

    /**
     * This claim and the two below test printed statements that an embedding exists. An embedding whose gap min_i
     * (|E_i|² - max_{j != i} E_i E_j) is at least 1 satisfies the printed bounds for every v gamma, because its logits
     * differ by at least (v gamma / r) gap.
     *
     * <p>The rows of a random orthonormal frame are nearly orthogonal; after scaling, they have this gap. For
     * comparison, an embedding drawn as in the proof is also measured. Its gap is below 1, but the proof does not
     * multiply the embedding's error by v gamma / r.
     */
    static final ComputedClaim MEMORIZATION_PRINTED = existence(
            "theorem-3.1",
            "theorem 3.1",
            "completes any prefix of its training sequence of n tokens to the sequence with probability at least"
                    + " 1 - nt exp(-v gamma / n + 2 epsilon).",
            Memorization::failure,
            Case::printedBound);

    static final ComputedClaim LOSS_PRINTED = existence(
            "theorem-3.1.loss",
            "theorem 3.1, loss",
            "has a cross-entropy loss below 2n²t exp(-v gamma / n + 2 epsilon) on its training sequence of n tokens.",
            Memorization::loss,
            one -> 2 * one.size().length() * one.printedBound());

    static final ComputedClaim SCALING_PRINTED = existence(
            "scaling",
            "section 3, Scaling",
            "completes any prefix of its training sequence of n tokens to the sequence with probability at least"
                    + " 1 - nt exp(-v gamma / n) (1 + 4 sqrt(2 ln n / d)).",
            Memorization::failure,
            Theorem31::printedScaling);

    private static ComputedClaim existence(
            String id,
            String place,
            String text,
            ToDoubleFunction<Memorization> measure,
            ToDoubleFunction<Case> bound) {
        return ComputedClaim.printed("depth." + id + ".printed", place, """
            Let 0 < epsilon < 1 and d >= 4 ln n / (epsilon²/2 - epsilon³/3). Then t tokens have an embedding in d
            columns for which a head with uniform attention, value matrix v I and the positions of Eq. 4 with parameter
            gamma
            """ + text)
                .settings("""
                    t | 2..1000 | 300 | tokens
                    n | 2..1000 | 300 | length of the sequence
                    epsilon | [0.1, 1) | 0.5 | by how much squared distances may be off
                    """)
                .range("""
                    rows of a random orthonormal frame, with a gap of %s, and for comparison an embedding drawn as in
                    the proof, for (t = {t}, n = {n}, epsilon = {epsilon})%s
                    """.formatted(GAP, SEQUENCES))
                .test((scope, computation) -> {
                    var tally = new Tally();
                    double drawn = 0;
                    for (Size size : Size.cases("300,300,0.5").in(scope)) {
                        drawn = Math.max(drawn, checkExistence(size, measure, bound, computation::model, tally));
                    }
                    String proof =
                            drawn > 1 ? "exceeds it by a factor of %.3g: a gap in the proof" : "also satisfies it";
                    return tally.finding(
                            "an embedding of a frame satisfies the bound; one drawn as in the proof "
                                    + String.format(Locale.ROOT, proof, drawn),
                            SEED);
                });
    }

    /**
     * Requires the bound for a frame's embedding. Returns the maximum ratio of value to bound for the proof's
     * embedding.
     */
    static double checkExistence(
            Size size,
            ToDoubleFunction<Memorization> measure,
            ToDoubleFunction<Case> bounds,
            Function<SequenceMemorizerByProjection, LanguageModel> models,
            Tally tally) {
        RandomGenerator random = Tally.random(SEED);
        double[][] frame = frame(size.tokens(), size.width(), random);
        for (Case one : cases(size, frame, 1, random)) {
            double value = measure.applyAsDouble(one.memorization(models));
            double bound = bounds.applyAsDouble(one);
            String name = "with an embedding of a frame, " + one.text();
            tally.requireAtMost(name, value, "", one.size().length() - 1L, bound);
        }
        tally.measure(
                "by how much |E_i|² is off 1 and |E_i - E_j|² off 2, relative, " + size,
                RandomProjection.distortion(frame),
                "",
                size.tokens());
        double maximum = 0;
        for (Case one : cases(List.of(size))) {
            double over = measure.applyAsDouble(one.memorization(models)) / bounds.applyAsDouble(one);
            tally.measure(
                    "over the bound, drawn as in the proof, " + one.text(),
                    over,
                    "",
                    one.size().length() - 1L);
            maximum = Math.max(maximum, over);
        }
        return maximum;
    }

    private static double printedScaling(Case one) {
        int n = one.size().length();
        double factor = 1 + 4 * Math.sqrt(2 * Math.log(n) / one.size().width());
        return (double) n * one.size().tokens() * Math.exp(-one.exponent()) * factor;
    }

    /**
     * Random columns of the orthonormal cosine transform of t points. Rows are normalized, then scaled until their gap
     * is {@link #GAP}, and rounded to multiples of 2^-12 as in {@link RandomProjection}.
     */
    static double[][] frame(int tokens, int width, RandomGenerator random) {
        List<Integer> frequencies =
                new ArrayList<>(IntStream.range(0, tokens).boxed().toList());
        Collections.shuffle(frequencies, random);
        double[][] rows = new double[tokens][width];
        for (int i = 0; i < tokens; i++) {
            double square = 0;
            for (int c = 0; c < Math.min(width, tokens); c++) {
                int k = frequencies.get(c);
                rows[i][c] = k == 0 ? Math.sqrt(0.5) : Math.cos(Math.PI * (i + 0.5) * k / tokens);
                square += rows[i][c] * rows[i][c];
            }
            for (int c = 0; c < width; c++) {
                rows[i][c] /= Math.sqrt(square);
            }
        }
        double scale = Math.sqrt(GAP / RandomProjection.gap(rows));
        for (double[] row : rows) {
            Arrays.setAll(row, c -> Math.rint(row[c] * scale * STEPS) / STEPS);
        }
        return rows;
    }
}
