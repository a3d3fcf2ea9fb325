package org.lemmata.claim.length;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The least training length from which on the limiting test loss is below a bound, by the parameter of the task.
 * Between training lengths the logarithm of the loss is taken as linear in that of the length.
 *
 * @param curves the losses
 * @param bound on them
 */
record LeastLengths(LossCurves curves, double bound) {

    /** For fewer values of the parameter no exponent is fitted. */
    private static final int FEWEST = 3;

    /** That of a parameter, from some seeds; NaN where it is below or above all training lengths. */
    double of(int parameter, int... seeds) {
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

    /** Of all seeds. */
    double of(int parameter) {
        return of(parameter, allSeeds());
    }

    private int[] allSeeds() {
        return IntStream.range(0, curves.seeds()).toArray();
    }

    /** The values of the parameter that have one within the training lengths. */
    List<Integer> parameters() {
        return curves.parameters().stream()
                .filter(parameter -> !Double.isNaN(of(parameter)))
                .toList();
    }

    /** c of N = a parameter^c; NaN from fewer than 3 values of the parameter. */
    Exponent exponent() {
        List<Integer> parameters = parameters();
        double[] x = parameters.stream().mapToDouble(Math::log).toArray();
        return Exponent.jackknife(
                curves.seeds(),
                seeds -> parameters.size() < FEWEST
                        ? Double.NaN
                        : Exponent.slope(
                                x,
                                parameters.stream()
                                        .mapToDouble(parameter -> Math.log(of(parameter, seeds)))
                                        .toArray()));
    }
}
