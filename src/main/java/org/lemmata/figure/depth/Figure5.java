package org.lemmata.figure.depth;

import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Figure.Series;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureSentences;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.Judgement.Side;
import org.lemmata.claim.TrivialAnswer;
import org.lemmata.measure.MatrixSpectrum;
import org.lemmata.measure.MatrixSpectrum.Eigenvalue;
import org.lemmata.measure.MatrixSpectrum.SingularValue;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.track.CellRecord;

/**
 * Richard (2024), figure 5: the spectrum of the last layer's value times projection matrix, for two models from the
 * grid of figure 3 (right). A sentence holds if it holds in every seed, and fails if it holds in none.
 *
 * <p>At the reduced sizes, the largest eigenvalue of the model of many words is positive, or complex with a positive
 * real part. Its modulus is at least 1.5 times the next one in four of five seeds; for the model of one word, in three.
 */
final class Figure5 {

    private static final String STABLE_RANK = "stableRank";

    /** Our readings of "pops out" and "negative cosine": the paper gives no numbers. */
    private static final double DOMINANT = 1.5;

    private static final double TURNING = -0.5;

    private static final FigureSentences<TwoModels> FIGURE = new FigureSentences<>(
            "depth.figure-5", "figure 5, section 4.2, appendix 5.3.3", Figure3Right.GRID, """
                the last of 4 layers, all 4 heads together, 5 seeds
                | d = 1024, 10,000 steps, 1 word of depth up to 4 and 10^7 of depth up to 8
                | d = 128, 1 word of depth up to 4 and 10^5 of depth up to 8
                | d = 64, 2,000 steps, 1 word of depth up to 4 and 10^5 of depth up to 8
                """, TwoModels::of);

    static final FigureClaim NEGATIVE = FIGURE.claim("negative", """
        "with a dominant negative eigenvalue"; "pops out with a dominant real negative eigenvalue".
        | Take the eigenvalues of value matrix times output projection in the last layer of the model trained on many
        words. In every seed, the eigenvalue of largest modulus is real and negative, and its modulus is at least 1.5
        times (our threshold) the next one.
        """, (models, judgement) -> {
        learned(models, judgement, false);
        judgement.measureMean("largest eigenvalue, many words", models.many(), run -> value(run, "real.0"));
        judgement.measureMean("its modulus over the next, many words", models.many(), Figure5::dominance);
        judgement.each(
                "real, negative and dominant",
                models.many().stream()
                        .map(run -> value(run, "imaginary.0") == 0
                                && value(run, "real.0") < 0
                                && dominance(run) >= DOMINANT)
                        .toList());
        judgement.show(eigenvalues(models));
    });

    static final FigureClaim POPS_OUT = FIGURE.claim("pops-out", """
        Large spectral elements pop out when the model is trained on a large training set
        | Take the eigenvalues of value matrix times output projection in the last layer. In every seed, the largest
        modulus, divided by the next one, is greater in the model trained on many words than in the model trained on one
        word.
        """, (models, judgement) -> {
        learned(models, judgement, true);
        judgement.measureMean("largest modulus over the next, one word", models.one(), Figure5::dominance);
        judgement.measureMean("largest modulus over the next, many words", models.many(), Figure5::dominance);
        judgement.each("greater than of one word", pairs(models, (many, one) -> dominance(many) > dominance(one)));
    });

    static final FigureClaim LOW_RANK = FIGURE.claim("low-rank", """
        We observe a low-rank structure for the best model
        | In the last layer, the product of value matrix and output projection has a smaller stable rank (squared
        Frobenius norm over squared spectral norm) in the model trained on many words than in the model trained on one
        word, in every seed.
        """, (models, judgement) -> {
        learned(models, judgement, true);
        judgement.measureMean("stable rank, one word", models.one(), run -> value(run, STABLE_RANK));
        judgement.measureMean("stable rank, many words", models.many(), run -> value(run, STABLE_RANK));
        judgement.each(
                "stable rank less than that of one word",
                pairs(models, (many, one) -> value(many, STABLE_RANK) < value(one, STABLE_RANK)));
        judgement.show(singularValues(models));
    });

    static final FigureClaim TURNED = FIGURE.claim("turned", """
        Its singular vectors form a negative cosine
        | Take the largest singular value of value matrix times output projection in the last layer of the model trained
        on many words. In every seed, its left and right singular vectors have a cosine below -0.5 (our threshold).
        """, (models, judgement) -> {
        learned(models, judgement, false);
        judgement.measureMean(
                "cosine of the first singular vectors, many words", models.many(), run -> value(run, "cosine.0"));
        judgement.each(
                "cosine below " + TURNING,
                models.many().stream()
                        .map(run -> value(run, "cosine.0") < TURNING)
                        .toList());
        judgement.show(cosines(models));
    });

    static final List<FigureClaim> CLAIMS = List.of(NEGATIVE, POPS_OUT, LOW_RANK, TURNED);

    /**
     * Requires that the model of many words (or {@code both} models) has learned to complete prefixes, and that its
     * stable rank differs from initial ones.
     */
    private static void learned(TwoModels models, Judgement judgement, boolean both) {
        List<MatrixSpectrum> initial =
                ClosedFormCompletions.spectra(models.many().getFirst().integer("model.width"));
        List<TrivialAnswer> rank =
                List.of(ClosedFormCompletions.answer("stable rank", initial, MatrixSpectrum::stableRank));
        models.manyLearned(judgement);
        judgement.learned(stableRank("many words", models.many()), Side.APART, rank);
        if (both) {
            models.oneLearned(judgement);
            judgement.learned(stableRank("one word", models.one()), Side.APART, rank);
        }
        judgement.named(ClosedFormCompletions.answer("largest modulus over the next", initial, Figure5::dominance));
        judgement.named(ClosedFormCompletions.answer(
                "cosine of the first singular vectors",
                initial,
                spectrum -> spectrum.singularValues().getFirst().cosine()));
        judgement.drewFrom(ClosedFormCompletions.INITIAL_SEED);
    }

    private static Measurement stableRank(String model, List<CellRecord> runs) {
        double[] ranks =
                runs.stream().mapToDouble(run -> value(run, STABLE_RANK)).toArray();
        return Measurement.middle("stable rank, " + model, "", Interval.mean(ranks), ranks.length, null);
    }

    /** A value of the spectrum, or NaN for a run that diverged. Comparisons with NaN are false. */
    private static double value(CellRecord run, String name) {
        return FigureCells.value(run, "spectrum." + name, Double.NaN);
    }

    private static double modulus(CellRecord run, int index) {
        return Math.hypot(value(run, "real." + index), value(run, "imaginary." + index));
    }

    private static double dominance(MatrixSpectrum spectrum) {
        MatrixSpectrum.Eigenvalue first = spectrum.eigenvalues().getFirst();
        MatrixSpectrum.Eigenvalue next = spectrum.eigenvalues().get(1);
        return Math.hypot(first.real(), first.imaginary()) / Math.hypot(next.real(), next.imaginary());
    }

    private static double dominance(CellRecord run) {
        return modulus(run, 0) / modulus(run, 1);
    }

    /** For each seed, whether a condition holds for its two models. */
    private static List<Boolean> pairs(TwoModels models, BiPredicate<CellRecord, CellRecord> manyAndOne) {
        return models.many().stream()
                .flatMap(many -> models.one().stream()
                        .filter(one -> one.seed() == many.seed())
                        .map(one -> manyAndOne.test(many, one)))
                .toList();
    }

    private static final String CLOSED_FORM = "closed form (d = 1)";

    /**
     * Figure 5 (top left), for the runs of the first seed, with initial weights and the closed form as additions. The
     * closed form is built from the training word of the one-word run. Its value matrix is a single number v &lt; 0.
     */
    static Figure singularValues(TwoModels models) {
        return new Figure(
                "Singular values of value times projection, over the largest one",
                caption("", "singular value", "top left"),
                "place",
                "singular value over the maximum",
                series(models, (name, spectrum) -> {
                    List<SingularValue> values = spectrum.singularValues();
                    double maximum = values.isEmpty() ? 1 : values.getFirst().value();
                    return byPlace(
                            name,
                            values.stream().map(each -> each.value() / maximum).toList());
                }));
    }

    static Figure cosines(TwoModels models) {
        return new Figure(
                "Cosines of left and right singular vectors of value times projection",
                caption(
                        "By place of the singular value, the largest first: -1 is a direction turned round. ",
                        "cosine",
                        "top right"),
                "place",
                "cosine of the singular vectors",
                series(
                        models,
                        (name, spectrum) -> byPlace(
                                name,
                                spectrum.singularValues().stream()
                                        .map(SingularValue::cosine)
                                        .toList())),
                false);
    }

    static Figure eigenvalues(TwoModels models) {
        return new Figure(
                "Eigenvalues of value times projection, over the largest modulus",
                caption("Each model's over its own largest modulus. ", "eigenvalue", "bottom"),
                "real part",
                "imaginary part",
                series(models, (name, spectrum) -> {
                    List<Eigenvalue> values = spectrum.eigenvalues();
                    double maximum = values.stream()
                            .mapToDouble(each -> Math.hypot(each.real(), each.imaginary()))
                            .max()
                            .orElse(1);
                    return new Series(
                            name,
                            values.stream().map(each -> each.real() / maximum).toList(),
                            values.stream()
                                    .map(each -> each.imaginary() / maximum)
                                    .toList());
                }),
                false);
    }

    private static String caption(String how, String value, String place) {
        return how
                + "Of the last layer, of the first seed. The closed form of theorem 4.1 has one weight for a value"
                + " matrix, v < 0, and so one " + value + ". Compare Richard (2024), figure 5 (" + place + ").";
    }

    private static List<Series> series(TwoModels models, BiFunction<String, MatrixSpectrum, Series> line) {
        return Stream.of(
                        line.apply("one word", spectrum(models.one().getFirst())),
                        line.apply("many words", spectrum(models.many().getFirst())),
                        line.apply(
                                "at initialization",
                                ClosedFormCompletions.spectra(
                                                models.many().getFirst().integer("model.width"))
                                        .getFirst()),
                        line.apply(
                                CLOSED_FORM,
                                ClosedFormCompletions.spectrum(models.one().getFirst())))
                .toList();
    }

    private static Series byPlace(String name, List<Double> values) {
        return new Series(
                name,
                IntStream.rangeClosed(1, values.size())
                        .mapToObj(i -> (double) i)
                        .toList(),
                values);
    }

    private static MatrixSpectrum spectrum(CellRecord run) {
        List<Double> real = values(run, "spectrum.real.");
        List<Double> imaginary = values(run, "spectrum.imaginary.");
        List<Double> singular = values(run, "spectrum.singular.");
        List<Double> cosine = values(run, "spectrum.cosine.");
        return new MatrixSpectrum(
                IntStream.range(0, real.size())
                        .mapToObj(i -> new Eigenvalue(real.get(i), imaginary.get(i)))
                        .toList(),
                IntStream.range(0, singular.size())
                        .mapToObj(i -> new SingularValue(singular.get(i), cosine.get(i)))
                        .toList());
    }

    /** The measurements whose names are a prefix and 0, 1, and so on. */
    static List<Double> values(CellRecord run, String prefix) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> run.measurement(prefix + i))
                .takeWhile(Optional::isPresent)
                .map(measurement -> measurement.orElseThrow().value())
                .toList();
    }
}
