package org.lemmata.claim.depth;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Tally;
import org.lemmata.construct.depth.RandomProjection;
import org.lemmata.construct.depth.SequenceMemorizerByProjection;
import org.lemmata.model.LanguageModel;

/**
 * Richard (2024), theorem 3.1 as printed: there exists an embedding. An embedding whose gap min_i (|E_i|² - max_j E_i
 * E_j) is at least 1 satisfies the printed bounds for every v gamma, because its logits differ by (v gamma / r) gap.
 *
 * <p>The rows of a random orthonormal frame are nearly orthogonal; scaled up, they have this gap. For comparison, an
 * embedding drawn as in the proof is also measured. Its gap is below 1, and the proof does not multiply its error by v
 * gamma / r.
 */
final class Theorem31Existence {

    /** Slightly above 1, to allow for rounding of the embedding. */
    private static final double GAP = 1.05;

    private static final double STEPS = 0x1p12;

    static final ComputedClaim MEMORIZATION = claim(
            "theorem-3.1",
            "theorem 3.1",
            "an embedding exists with which the head completes any prefix of its training sequence to the sequence with"
                    + " probability at least 1 - nt exp(-v gamma / n + 2 epsilon).",
            Memorization::failure,
            Theorem31.Case::printedBound);

    static final ComputedClaim LOSS = claim(
            "theorem-3.1.loss",
            "theorem 3.1, loss",
            "an embedding exists with which the cross-entropy loss of the head on its training sequence is below 2n²t"
                    + " exp(-v gamma / n + 2 epsilon).",
            Memorization::loss,
            one -> 2 * one.size().length() * one.printedBound());

    static final ComputedClaim SCALING = claim(
            "scaling",
            "section 3, Scaling",
            "an embedding exists with which the head completes any prefix of its training sequence to the sequence with"
                    + " probability at least 1 - nt exp(-v gamma / n) (1 + 4 sqrt(2 ln n / d)).",
            Memorization::failure,
            Theorem31Existence::scaled);

    private static ComputedClaim claim(
            String id,
            String place,
            String text,
            ToDoubleFunction<Memorization> measure,
            ToDoubleFunction<Theorem31.Case> bound) {
        return ComputedClaim.printed(
                        "depth." + id + ".printed", place, "For d >= 4 ln n / (epsilon²/2 - epsilon³/3) " + text)
                .settings("""
                    t | 2..1000 | 300 | tokens
                    n | 2..1000 | 300 | length of the sequence
                    epsilon | [0.1, 1) | 0.5 | by how much squared distances may be off
                    """)
                .range("""
                    rows of a random orthonormal frame, of a gap of %s, and beside it an embedding drawn as in the
                    proof, for (t = {t}, n = {n}, epsilon = {epsilon})%s
                    """.formatted(GAP, Theorem31.SEQUENCES))
                .test((scope, computation) -> {
                    var tally = new Tally();
                    double drawn = 0;
                    for (Theorem31.Size size : Theorem31.sizes(scope.settings())) {
                        drawn = Math.max(drawn, check(size, measure, bound, computation::model, tally));
                    }
                    String proof = drawn > 1 ? "is above it by a factor of %.3g: a gap in the proof" : "keeps it, too";
                    return tally.finding(
                            "an embedding of a frame keeps the bound; one drawn as in the proof "
                                    + String.format(Locale.ROOT, proof, drawn),
                            Theorem31.SEED);
                });
    }

    /**
     * Requires the bound for a frame's embedding. Returns the maximum of value over bound for the proof's embedding.
     */
    static double check(
            Theorem31.Size size,
            ToDoubleFunction<Memorization> measure,
            ToDoubleFunction<Theorem31.Case> bounds,
            Function<SequenceMemorizerByProjection, LanguageModel> models,
            Tally tally) {
        RandomGenerator random = Tally.random(Theorem31.SEED);
        double[][] frame = frame(size.tokens(), size.width(), random);
        for (Theorem31.Case one : Theorem31.cases(size, frame, 1, random)) {
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
        for (Theorem31.Case one : Theorem31.cases(List.of(size))) {
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

    private static double scaled(Theorem31.Case one) {
        int n = one.size().length();
        double factor = 1 + 4 * Math.sqrt(2 * Math.log(n) / one.size().width());
        return (double) n * one.size().tokens() * Math.exp(-one.exponent()) * factor;
    }

    /**
     * Random columns of the orthonormal cosine transform of t points. Rows are normalized, then scaled until their gap
     * is {@link #GAP}, and rounded to multiples of 2^-12 as in {@link RandomProjection}.
     */
    static double[][] frame(int tokens, int width, RandomGenerator random) {
        int[] frequencies = IntStream.range(0, tokens).toArray();
        for (int i = tokens - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int one = frequencies[i];
            frequencies[i] = frequencies[other];
            frequencies[other] = one;
        }
        double[][] rows = new double[tokens][width];
        for (int i = 0; i < tokens; i++) {
            double square = 0;
            for (int c = 0; c < Math.min(width, tokens); c++) {
                int k = frequencies[c];
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
