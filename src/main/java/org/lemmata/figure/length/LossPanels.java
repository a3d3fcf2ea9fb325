package org.lemmata.figure.length;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Figure.Series;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureSentences;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.SeedMean;
import org.lemmata.claim.TrivialAnswer;
import org.lemmata.figure.length.Fit.Jackknife;
import org.lemmata.figure.length.Fit.PowerLaw;
import org.lemmata.setting.NumberSet;
import org.lemmata.statistic.Interval;

/**
 * The panels that figures 1 and 2 have in common.
 *
 * @param task the name of the task
 * @param figure the figure: 1 or 2
 * @param closedForm a sentence about the loss of the task's closed form
 * @param trivial the loss of a constant answer, by parameter and test length
 */
record LossPanels(String task, int figure, String closedForm, ToDoubleBiFunction<Double, Integer> trivial) {

    private static final String MEANS = "geometric means over seeds with 95% intervals. ";

    FigureClaim left(FigureSentences<LossCurves> sentences, String parameter, Function<LossCurves, Figure> picture) {
        String text = """
            For fixed training length, as test length increases, the test loss plateaus at a finite value
            | Between the two largest test lengths, the loss on %s grows as length^c with c significantly between -1/4
            and 1/4 (our thresholds). Here c is a mean over all %ss and training lengths at which models significantly
            beat a constant answer.
            """.formatted(task, parameter);
        return sentences.at("figure " + figure + " (left), section 5").claim("left", text, (curves, judgement) -> {
            learned(curves, judgement);
            curves.plateaus(trivial, judgement);
            judgement.show(picture.apply(curves));
        });
    }

    FigureClaim middle(FigureSentences<LossCurves> sentences, String parameter, Function<LossCurves, Figure> picture) {
        String text = """
            The value the test loss plateaus at decreases monotonically with training length
            | For each %s of %s, the loss at the largest test length falls with the training length N. At the largest N
            the loss is significantly lower than at the smallest N. At no N is it significantly higher than at the next
            smaller one.
            """.formatted(parameter, task);
        return sentences.at("figure " + figure + " (middle), section 5").claim("middle", text, (curves, judgement) -> {
            learned(curves, judgement);
            curves.decreases(judgement);
            judgement.show(picture.apply(curves));
        });
    }

    /** The left panel: losses over test length, one line per training length. */
    Figure byTestLength(LossCurves curves, double parameter, Series... beside) {
        Stream<Series> lines = curves.lengths(parameter).stream()
                .map(length -> series(
                        curves.name(parameter, length),
                        curves.testLengths(),
                        test -> test,
                        test -> curves.loss(parameter, length, test)));
        return new Figure(
                task + ": loss by test length, " + curves.symbol() + " = " + NumberSet.shown(parameter),
                "Squared error on sequences of one length, a line for each training length N; " + MEANS + closedForm
                        + source("left"),
                "log2 of the test length",
                "log10 of the loss",
                Stream.of(lines, Stream.of(constant(parameter, curves)), Stream.of(beside))
                        .flatMap(series -> series)
                        .toList());
    }

    void learned(LossCurves curves, Judgement judgement) {
        curves.learned(trivial, judgement);
    }

    /** A line: the loss of always answering the mean, by test length. */
    private Series constant(double parameter, LossCurves curves) {
        return Series.of(
                "without learning: always the mean",
                curves.testLengths(),
                length -> Figure.log2(length),
                length -> Math.log10(trivial.applyAsDouble(parameter, length)));
    }

    /** The middle panel: the plateau over the training length, one line per parameter. */
    Figure byTrainingLength(LossCurves curves, Series... beside) {
        return plateaus(curves, false, "middle", beside);
    }

    /** The plateau over the training length, in tokens or (figure 2's right panel) in periods. */
    Figure plateaus(LossCurves curves, boolean inPeriods, String panel, Series... beside) {
        Stream<Series> lines = curves.parameters().stream()
                .map(parameter -> series(
                        curves.symbol() + " = " + NumberSet.shown(parameter),
                        curves.lengths(parameter),
                        length -> length / (inPeriods ? parameter : 1),
                        length -> curves.limit(parameter, length)));
        return new Figure(
                task + ": the plateau by training length" + (inPeriods ? " in periods" : ""),
                "Squared error on sequences of " + curves.testLengths().getLast() + " tokens, a line for each "
                        + curves.symbol() + "; " + MEANS + closedForm + source(panel),
                inPeriods ? "log2 of N / Delta" : "log2 of the training length N",
                "log10 of the loss",
                Stream.of(lines, Stream.of(constant(curves, inPeriods)), Stream.of(beside))
                        .flatMap(series -> series)
                        .toList());
    }

    /**
     * A horizontal line: the loss of always answering the mean, at the last value of the parameter. It does not depend
     * on the training length.
     */
    private Series constant(LossCurves curves, boolean inPeriods) {
        double last = curves.parameters().getLast();
        double loss =
                Math.log10(trivial.applyAsDouble(last, curves.testLengths().getLast()));
        List<Integer> lengths = curves.lengths(last);
        double unit = inPeriods ? last : 1;
        return new TrivialAnswer("always the mean, " + curves.symbol() + " = " + NumberSet.shown(last), loss)
                .line(Figure.log2(lengths.getFirst() / unit), Figure.log2(lengths.getLast() / unit));
    }

    /**
     * The right panel: the minimum training length for a loss: measured, fitted, and according to theorem 4.1.
     *
     * @param law the fitted law
     * @param exponent the exponent of the law, with an interval
     * @param how a description of the fit
     * @param beside further laws
     */
    Figure minLengths(
            MinLengths lengths, PowerLaw law, Jackknife exponent, String how, TheoremBound bound, Series... beside) {
        LossCurves curves = lengths.curves();
        List<Double> values = curves.parameters();
        var series = new ArrayList<Series>();
        series.add(Series.of(
                "measured",
                lengths.parameters(),
                Figure::log2,
                parameter -> Figure.log2(lengths.of(parameter).value()),
                parameter -> {
                    Interval of = lengths.of(parameter).interval();
                    return new Interval(Figure.log2(of.low()), Figure.log2(of.high()));
                }));
        if (exponent.isKnown()) {
            series.add(line(
                    "fitted: " + law.text(bound.parameter()),
                    values,
                    values.stream().mapToDouble(law::at).toArray()));
        }
        series.addAll(List.of(beside));
        double[] x = values.stream().mapToDouble(value -> value).toArray();
        bound.lines(values).forEach((name, length) -> {
            double[] y = values.stream().mapToDouble(length).toArray();
            double power = PowerLaw.of(x, y).exponent();
            series.add(line(String.format(Locale.ROOT, "%s: %s^%.2f", name, bound.parameter(), power), values, y));
        });
        return new Figure(
                String.format(
                        Locale.ROOT,
                        "%s: the training length for a loss of %.2g, by %s",
                        task,
                        lengths.bound(),
                        bound.parameter()),
                "The smallest training length from which on the loss on sequences of "
                        + curves.testLengths().getLast() + " tokens is below "
                        + String.format(Locale.ROOT, "%.2g", lengths.bound())
                        + ", interpolated, with 95% intervals by the jackknife over seeds; left out where it is outside"
                        + " of the training lengths. " + how + exponent.text(" c =") + ". " + bound.caption(values)
                        + source("right"),
                "log2 of " + bound.parameter(),
                "log2 of the training length N",
                series);
    }

    private String source(String panel) {
        return " Compare Izzo, Nichani and Lee (2025), figure " + figure + " (" + panel + ").";
    }

    private static <T extends Number> Series series(
            String name, Collection<T> points, ToDoubleFunction<T> x, Function<T, SeedMean> y) {
        return Series.of(
                name,
                points,
                point -> Figure.log2(x.applyAsDouble(point)),
                point -> Math.log10(y.apply(point).value()),
                point -> {
                    Interval of = y.apply(point).interval();
                    return new Interval(Math.log10(of.low()), Math.log10(of.high()));
                });
    }

    static Series line(String name, List<Double> x, double... y) {
        return Series.of(
                name,
                IntStream.range(0, y.length).boxed().toList(),
                i -> Figure.log2(x.get(i)),
                i -> Figure.log2(y[i]));
    }
}
