package org.lemmata.figure.length;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Figure.Series;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.claim.FigureSentences;
import org.lemmata.claim.Judgement;
import org.lemmata.figure.length.Fit.Jackknife;
import org.lemmata.figure.length.Fit.PowerLaw;
import org.lemmata.figure.length.Fit.StraightLine;
import org.lemmata.setting.NumberSet;
import org.lemmata.statistic.Measurement.Reference;
import org.lemmata.statistic.Measurement.Relation;

/**
 * Izzo, Nichani and Lee (2025), figure 1: one sentence about SimpleTask for each panel. Losses are squared errors, as
 * geometric means over seeds. "Significantly" refers to 95% intervals.
 *
 * <p>At long test lengths, the few sequences with hardly any 0 and 1 dominate the loss, so a single ratio of small
 * losses has a wide interval. Plateaus are therefore tested over all lines together. At the reduced sizes, most runs of
 * omega = 7 and 8 end before they reach the training loss.
 */
final class SimpleTaskFigure {

    /** The bound of the loss: "here epsilon = 10^-2". */
    static final double BOUND = 1e-2;

    private static final int SEQUENCES = 256;

    private static final LossPanels PANELS = new LossPanels(
            "SimpleTask",
            1,
            "Closed form: exact averages, and sin(omega z) by chords between as many equidistant knots as the models"
                    + " have relu, " + TheoremBound.HIDDEN + "; means over " + SEQUENCES
                    + " sequences of each length."
                    + " With exact sines its loss is 0.",
            LossCurves::simpleTask);

    private static final FigureSentences<LossCurves> FIGURE = new FigureSentences<>(
            "length.figure-1",
            "figure 1, section 5",
            new FigureGrid("length.figure-1", SimpleTaskFigure.class, "figure-1.yaml"),
            """
            one layer of width 16 on SimpleTask, 8 seeds
            | batches of 1,024 to a training loss of 1e-5, 10,000 steps at most; training lengths 2 to 64, omega 1
            to 8, test lengths to 4,096
            | batches of 128, 4,000 steps at most at a falling rate; training lengths 2 to 32, omega 1 to 8, test
            lengths to 1,024
            """,
            cells -> LossCurves.of(cells, "task.settings.omega", "omega"));

    static final FigureClaim LEFT = PANELS.left(FIGURE, "omega", SimpleTaskFigure::byTestLength);

    static final FigureClaim MIDDLE = PANELS.middle(FIGURE, "omega", SimpleTaskFigure::byTrainingLength);

    static final FigureClaim RIGHT =
            FIGURE.at("figure 1 (right), section 5").claim("right", """
                the minimum training length N needed to obtain fixed test loss 1e-2 increases linearly with omega
                | For each frequency omega of SimpleTask, let N be the smallest training length that gives a loss of
                1e-2 at the largest test length. An omega counts only if at least half of its runs reached the training
                loss at which training stops. A straight line N = a + b omega fits with b significantly above 0. In
                addition, one of two conditions holds: the line fits N significantly better than a power law N = a'
                omega^c, or c is significantly between 1/sqrt(2) and sqrt(2) (our thresholds).
                """, SimpleTaskFigure::linear);

    static final List<FigureClaim> CLAIMS = List.of(LEFT, MIDDLE, RIGHT);

    private static Figure byTestLength(LossCurves curves) {
        double omega = curves.parameters().getLast();
        List<Integer> tests = curves.testLengths();
        return PANELS.byTestLength(
                curves,
                omega,
                closedForm(
                        omega,
                        tests,
                        tests.stream()
                                .map(length -> TheoremBound.lossOfSimpleTask(omega, length, SEQUENCES))
                                .toList()));
    }

    private static Figure byTrainingLength(LossCurves curves) {
        double omega = curves.parameters().getLast();
        List<Integer> lengths = curves.lengths(omega);
        double loss = TheoremBound.lossOfSimpleTask(omega, curves.testLengths().getLast(), SEQUENCES);
        return PANELS.byTrainingLength(
                curves, closedForm(omega, List.of(lengths.getFirst(), lengths.getLast()), List.of(loss, loss)));
    }

    private static Series closedForm(double omega, List<Integer> lengths, List<Double> losses) {
        return Series.of(
                "closed form, omega = " + NumberSet.shown(omega),
                IntStream.range(0, lengths.size()).boxed().toList(),
                i -> Figure.log2(lengths.get(i)),
                i -> Math.log10(losses.get(i)));
    }

    private static void linear(LossCurves curves, Judgement judgement) {
        var lengths = new MinLengths(curves, BOUND);
        PANELS.learned(curves, judgement);
        lengths.measured().forEach(judgement::measure);
        curves.parameters().forEach(omega -> judgement.measure(curves.trained(omega)));
        List<String> fitted = lengths.trained().stream().map(NumberSet::shown).toList();
        Jackknife exponent = lengths.exponent();
        Jackknife slope = lengths.slope();
        Jackknife better = lengths.lineOverPower();
        String of = " for omega = " + fitted;
        if (exponent.isKnown()) {
            judgement.measure(exponent.measured("c of N = a omega^c" + of, "", new Reference(Relation.ABOUT, 1)));
            judgement.measure(slope.measured("b of N = a + b omega" + of, "tokens", null));
            judgement.measure(better.measured("error of the power law less that of the line" + of, "", null));
            judgement.add(
                    slope.text("b of N = a + b omega" + of) + " above 0",
                    slope.interval().low() > 0,
                    slope.interval().high() < 0);
            boolean beyond = exponent.interval().low() > PowerLaw.MOST_LINEAR
                    || exponent.interval().high() < PowerLaw.MIN_LINEAR;
            judgement.add(
                    exponent.text("c of N = a omega^c" + of)
                            + String.format(
                                    Locale.ROOT, " within %.3f to %.3f", PowerLaw.MIN_LINEAR, PowerLaw.MOST_LINEAR)
                            + better.text(", or the relative error of that power law above the line's, by"),
                    PowerLaw.isLinear(exponent) || better.interval().low() > 0,
                    beyond && better.interval().high() < 0);
        } else {
            judgement.add(
                    "no fit: half of the runs or more came to the training loss, and to a loss of " + BOUND
                            + " within the training lengths," + (fitted.isEmpty() ? " of no omega" : of),
                    false,
                    false);
        }
        StraightLine line = lengths.line();
        List<Double> omegas = curves.parameters();
        judgement.show(PANELS.minLengths(
                lengths,
                lengths.law(),
                exponent,
                "Fitted to those of omega = " + fitted + ", where half of the runs or more came to the training loss,"
                        + " N = a omega^c,",
                TheoremBound.simpleTask(BOUND),
                exponent.isKnown()
                        ? new Series[] {
                            LossPanels.line(
                                    "fitted: " + line.text("omega"),
                                    omegas,
                                    omegas.stream().mapToDouble(line::at).toArray())
                        }
                        : new Series[0]));
    }
}
