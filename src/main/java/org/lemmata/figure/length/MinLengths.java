package org.lemmata.figure.length;

import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.ToIntFunction;
import org.lemmata.figure.length.Fit.Jackknife;
import org.lemmata.figure.length.Fit.PowerLaw;
import org.lemmata.figure.length.Fit.StraightLine;
import org.lemmata.setting.NumberSet;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;

/**
 * For each value of the task's parameter, the minimum training length from which on the limiting test loss is below a
 * bound. Between training lengths, the logarithm of the loss is interpolated linearly in the logarithm of the length.
 *
 * @param curves the losses
 * @param bound the bound of the losses
 */
record MinLengths(LossCurves curves, double bound) {

    private static final int FEWEST = 3;

    /**
     * The minimum lengths for a loss that every curve crosses. This loss is the geometric mean of the minimum loss at
     * the shortest training lengths and the maximum loss at the longest.
     */
    static MinLengths whereAllCross(LossCurves curves) {
        DoubleSummaryStatistics shortest = limits(curves, List::getFirst);
        DoubleSummaryStatistics longest = limits(curves, List::getLast);
        return new MinLengths(curves, Math.sqrt(shortest.getMin() * longest.getMax()));
    }

    private static DoubleSummaryStatistics limits(LossCurves curves, ToIntFunction<List<Integer>> length) {
        return curves.parameters().stream()
                .mapToDouble(parameter -> curves.limit(parameter, length.applyAsInt(curves.lengths(parameter)))
                        .value())
                .summaryStatistics();
    }

    /** The minimum training length, interpolated from the given seeds; NaN if it is outside the tested lengths. */
    private double length(double parameter, int... seeds) {
        List<Integer> lengths = curves.lengths(parameter);
        int above = lengths.size() - 1;
        while (above >= 0 && curves.logLimit(parameter, lengths.get(above), seeds) < Math.log(bound)) {
            above--;
        }
        if (above < 0 || above == lengths.size() - 1) {
            return Double.NaN;
        }
        double x = Math.log(lengths.get(above));
        double next = Math.log(lengths.get(above + 1));
        double loss = curves.logLimit(parameter, lengths.get(above), seeds);
        double nextLoss = curves.logLimit(parameter, lengths.get(above + 1), seeds);
        return Math.exp(x + (next - x) * (loss - Math.log(bound)) / (loss - nextLoss));
    }

    /**
     * The minimum training length for a parameter, fitted to all seeds. If a fit without one of the seeds is outside
     * the tested training lengths, the interval is the whole tested range.
     */
    Jackknife of(double parameter) {
        Jackknife length = Jackknife.of(curves.seeds(), seeds -> Math.log(length(parameter, seeds)))
                .exp();
        List<Integer> lengths = curves.lengths(parameter);
        return length.isKnown()
                ? length
                : new Jackknife(length.value(), new Interval(lengths.getFirst(), lengths.getLast()), length.seeds());
    }

    /** The values of the parameter whose minimum length is within the tested training lengths. */
    List<Double> parameters() {
        return curves.parameters().stream()
                .filter(parameter -> !Double.isNaN(length(parameter, Jackknife.all(curves.seeds()))))
                .toList();
    }

    /**
     * The values of the parameter for fits: at least half of their runs reached the training loss at which training
     * stops.
     */
    List<Double> trained() {
        return parameters().stream()
                .filter(parameter -> curves.trained(parameter).value() >= 0.5)
                .toList();
    }

    List<Measurement> measured() {
        return parameters().stream()
                .map(parameter -> of(parameter)
                        .measured(
                                String.format(
                                        Locale.ROOT,
                                        "smallest N for a loss of %.2g, %s = %s",
                                        bound,
                                        curves.symbol(),
                                        NumberSet.shown(parameter)),
                                "tokens",
                                null))
                .toList();
    }

    /** N = a parameter^c; NaN if there are fewer than 3 values of the parameter. */
    PowerLaw law() {
        return fitted(PowerLaw::of, new PowerLaw(Double.NaN, Double.NaN));
    }

    /** N = a + b parameter; NaN if there are fewer than 3 values of the parameter. */
    StraightLine line() {
        return fitted(StraightLine::of, new StraightLine(Double.NaN, Double.NaN));
    }

    private <T> T fitted(BiFunction<double[], double[], T> fit, T none, int... seeds) {
        List<Double> parameters = trained();
        int[] some = seeds.length == 0 ? Jackknife.all(curves.seeds()) : seeds;
        return parameters.size() < FEWEST
                ? none
                : fit.apply(
                        parameters.stream().mapToDouble(parameter -> parameter).toArray(),
                        parameters.stream()
                                .mapToDouble(parameter -> length(parameter, some))
                                .toArray());
    }

    private Jackknife overSeeds(BiFunction<double[], double[], Double> fit) {
        return Jackknife.of(curves.seeds(), seeds -> fitted(fit, Double.NaN, seeds));
    }

    /** The slope b of the straight line, with its interval over the seeds. */
    Jackknife slope() {
        return overSeeds((x, y) -> StraightLine.of(x, y).slope());
    }

    Jackknife exponent() {
        return overSeeds((x, y) -> PowerLaw.of(x, y).exponent());
    }

    /** The root mean square relative error of the power law minus that of the straight line, with its interval. */
    Jackknife lineOverPower() {
        return overSeeds((x, y) -> StraightLine.misfit(PowerLaw.of(x, y)::at, x, y)
                - StraightLine.misfit(StraightLine.of(x, y)::at, x, y));
    }
}
