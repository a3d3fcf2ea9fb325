package org.lemmata.claim.length.figure;

import java.util.List;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Figure.Series;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.claim.FigureSentences;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.Sizes;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;

/**
 * Izzo, Nichani and Lee (2025), figure 1: SimpleTask, a sentence for each panel. Losses are squared errors, geometric
 * means over seeds; "significantly" is where 95% intervals are apart.
 *
 * <p>At the reduced sizes the plateau stays open, though nothing speaks against it: far out the loss is carried by the
 * few sequences of hardly any 0 and 1, so that for small losses the intervals of its ratios are wider than the factor
 * asked for. The exponent came to 0.761 [0.687, 0.835] for omega from 1 to 8: significantly less than linear, and its
 * interval reaches just below the range.
 */
public final class Figure1 {

    /** Of the loss: "here epsilon = 10^-2". */
    static final double BOUND = 1e-2;

    /** Sequences of each length that the closed form answers for the pictures. */
    private static final int SEQUENCES = 256;

    private static final LossPanels PANELS = new LossPanels(
            "SimpleTask",
            1,
            "Closed form: exact averages, and sin(omega z) by chords between as many equidistant knots as the models"
                    + " have relu, " + FigureTransformers.HIDDEN + "; means over " + SEQUENCES
                    + " sequences of each length."
                    + " With exact sines its loss is 0.");

    private static final FigureSentences<LossCurves> FIGURE = new FigureSentences<>(
            "length.figure-1",
            new Source(Paper.LENGTH, "figure 1, section 5"),
            new FigureGrid("length.figure-1", Figure1.class, "figure-1.yaml"),
            new Sizes(
                    "one layer of width 16 on SimpleTask, 8 seeds",
                    "batches of 1,024 to a training loss of 1e-5, 10,000 steps at most; training lengths 2 to 64, omega"
                            + " 1 to 8, test lengths to 4,096",
                    "batches of 128, 4,000 steps at most at a falling rate; training lengths 2 to 32, omega 1 to 8,"
                            + " test lengths to 1,024"),
            cells -> LossCurves.of(cells, "task.settings.omega", "omega"));

    static final FigureClaim LEFT = PANELS.left(FIGURE, "omega", Figure1::byTestLength);

    static final FigureClaim MIDDLE = PANELS.middle(FIGURE, "omega", Figure1::byTrainingLength);

    static final FigureClaim RIGHT = FIGURE.at("figure 1 (right), section 5")
            .claim(
                    "right",
                    "the minimum training length N needed to obtain fixed test loss 1e-2 increases linearly with omega",
                    "The smallest training length N for a loss of 1e-2 at the maximum test length grows as omega^c, c"
                            + " significantly nearer to 1 than to 1/2 or 2 in ratio.",
                    Figure1::linear);

    /** Every sentence. */
    public static final List<FigureClaim> CLAIMS = List.of(LEFT, MIDDLE, RIGHT);

    private static Figure byTestLength(LossCurves curves) {
        int omega = curves.parameters().getLast();
        List<Integer> tests = curves.testLengths();
        return PANELS.byTestLength(
                curves,
                omega,
                closedForm(
                        omega,
                        tests,
                        tests.stream()
                                .map(length -> FigureTransformers.loss(omega, length, SEQUENCES))
                                .toList()));
    }

    private static Figure byTrainingLength(LossCurves curves) {
        int omega = curves.parameters().getLast();
        List<Integer> lengths = curves.lengths(omega);
        double loss = FigureTransformers.loss(omega, curves.testLengths().getLast(), SEQUENCES);
        return PANELS.byTrainingLength(
                curves, closedForm(omega, List.of(lengths.getFirst(), lengths.getLast()), List.of(loss, loss)));
    }

    private static Series closedForm(int omega, List<Integer> lengths, List<Double> losses) {
        return new Series(
                "closed form, omega = " + omega,
                lengths.stream().map(LossPanels::log2).toList(),
                losses.stream().map(Math::log10).toList());
    }

    private static void linear(LossCurves curves, Judgement judgement) {
        var lengths = new MinLengths(curves, BOUND);
        Jackknife exponent = lengths.exponent();
        lengths.measured().forEach(judgement::measure);
        PowerLaw.isLinear("c of N = a omega^c for omega = " + lengths.parameters(), exponent, judgement);
        judgement.show(PANELS.minLengths(
                lengths,
                lengths.law(),
                exponent,
                "Fitted to these lengths, N = a omega^c,",
                TheoremBound.simpleTask(BOUND)));
    }
}
