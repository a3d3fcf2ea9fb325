package org.lemmata.figure.length;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.claim.Judgement;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.statistic.Measurement.Reference;
import org.lemmata.statistic.Measurement.Relation;

/** Laws fitted to losses and training lengths, and intervals of fitted values over the seeds. */
final class Fit {

    /**
     * log loss = a + b log(N / Delta) + d log Delta: fitted by least squares to the losses at the maximum test length,
     * over the training lengths and periods of a figure. For a fixed loss, N grows as Delta^(1 - d / b).
     *
     * @param constant a
     * @param ofRatio b
     * @param ofPeriod d
     */
    record LossPlane(double constant, double ofRatio, double ofPeriod) {

        static LossPlane of(LossCurves curves, int... seeds) {
            var rows = new ArrayList<double[]>();
            for (double period : curves.parameters()) {
                for (int length : curves.lengths(period)) {
                    rows.add(new double[] {
                        Math.log(length / period), Math.log(period), curves.logLimit(period, length, seeds)
                    });
                }
            }
            double[] means = new double[3];
            for (int i = 0; i < means.length; i++) {
                int column = i;
                means[i] =
                        rows.stream().mapToDouble(row -> row[column]).average().orElse(Double.NaN);
            }
            double[][] products = new double[3][3];
            for (double[] row : rows) {
                for (int i = 0; i < 3; i++) {
                    for (int j = 0; j < 3; j++) {
                        products[i][j] += (row[i] - means[i]) * (row[j] - means[j]);
                    }
                }
            }
            // Cramer's rule for the normal equations.
            double determinant = products[0][0] * products[1][1] - products[0][1] * products[1][0];
            double b = (products[0][2] * products[1][1] - products[1][2] * products[0][1]) / determinant;
            double d = (products[1][2] * products[0][0] - products[0][2] * products[0][1]) / determinant;
            return new LossPlane(means[2] - b * means[0] - d * means[1], b, d);
        }

        /** The training length for a loss, as a function of Delta. */
        PowerLaw length(double loss) {
            return new PowerLaw(Math.exp((Math.log(loss) - constant) / ofRatio), 1 - ofPeriod / ofRatio);
        }

        /** 1 - d / b, with its interval over the seeds. */
        static Jackknife exponent(LossCurves curves) {
            return Jackknife.of(
                    curves.seeds(), seeds -> of(curves, seeds).length(1).exponent());
        }
    }

    /**
     * N = a x^c.
     *
     * @param factor a
     * @param exponent c
     */
    record PowerLaw(double factor, double exponent) {

        /**
         * The lower bound of "linear" exponents: those that are closer to 1 than to 1/2 or 2 on a logarithmic scale.
         */
        static final double MIN_LINEAR = Math.sqrt(0.5);

        static final double MOST_LINEAR = Math.sqrt(2);

        static PowerLaw of(double[] x, double[] y) {
            double[] logX = Arrays.stream(x).map(Math::log).toArray();
            double[] logY = Arrays.stream(y).map(Math::log).toArray();
            double meanX = Arrays.stream(logX).average().orElseThrow();
            double meanY = Arrays.stream(logY).average().orElseThrow();
            double covariance = 0;
            double variance = 0;
            for (int i = 0; i < logX.length; i++) {
                covariance += (logX[i] - meanX) * (logY[i] - meanY);
                variance += (logX[i] - meanX) * (logX[i] - meanX);
            }
            double slope = covariance / variance;
            return new PowerLaw(Math.exp(meanY - slope * meanX), slope);
        }

        double at(double x) {
            return factor * Math.pow(x, exponent);
        }

        String text(String x) {
            return String.format(Locale.ROOT, "N = %.3g %s^%.2f", factor, x, exponent);
        }

        /** Whether the interval of an exponent lies between {@link #MIN_LINEAR} and {@link #MOST_LINEAR}. */
        static boolean isLinear(Jackknife exponent) {
            return exponent.interval().low() >= MIN_LINEAR
                    && exponent.interval().high() <= MOST_LINEAR;
        }

        /** Requires {@link #isLinear(Jackknife)}, and measures the exponent if it is known. */
        static void isLinear(String name, Jackknife exponent, Judgement judgement) {
            if (exponent.isKnown()) {
                judgement.measure(exponent.measured(name, "", new Reference(Relation.ABOUT, 1)));
            }
            judgement.within(
                    exponent.text(name) + String.format(Locale.ROOT, " within %.3f to %.3f", MIN_LINEAR, MOST_LINEAR),
                    exponent.interval(),
                    MIN_LINEAR,
                    MOST_LINEAR);
        }
    }

    /**
     * N = a + b x.
     *
     * @param constant a
     * @param slope b
     */
    record StraightLine(double constant, double slope) {

        /** Minimizes the sum of the squares of the relative errors (a + b x - y) / y. */
        static StraightLine of(double[] x, double[] y) {
            double[] sums = new double[5];
            for (int i = 0; i < x.length; i++) {
                double weight = 1 / (y[i] * y[i]);
                sums[0] += weight;
                sums[1] += weight * x[i];
                sums[2] += weight * x[i] * x[i];
                sums[3] += weight * y[i];
                sums[4] += weight * x[i] * y[i];
            }
            double determinant = sums[0] * sums[2] - sums[1] * sums[1];
            return new StraightLine(
                    (sums[3] * sums[2] - sums[1] * sums[4]) / determinant,
                    (sums[0] * sums[4] - sums[1] * sums[3]) / determinant);
        }

        double at(double x) {
            return constant + slope * x;
        }

        static double misfit(DoubleUnaryOperator f, double[] x, double[] y) {
            double squares = 0;
            for (int i = 0; i < x.length; i++) {
                squares += Math.pow(f.applyAsDouble(x[i]) / y[i] - 1, 2);
            }
            return Math.sqrt(squares / x.length);
        }

        String text(String x) {
            return String.format(Locale.ROOT, "N = %.2f + %.2f %s", constant, slope, x);
        }
    }

    /**
     * A value fitted to all seeds of a figure, with its interval.
     *
     * @param value the fitted value; NaN if there is none
     * @param interval the jackknife's nominal 95% interval: Student's interval of the pseudo-values n v - (n - 1) v_i,
     *     where v_i is fitted without seed i, centered at v; NaN if any v_i is NaN
     * @param seeds n
     */
    record Jackknife(double value, Interval interval, int seeds) {

        /**
         * The jackknife of a fit.
         *
         * @param seeds at least 2
         * @param fit fits a value to the seeds with the given indices; NaN if that is impossible
         */
        static Jackknife of(int seeds, Function<int[], Double> fit) {
            Refuse.below("seeds", seeds, 2);
            double value = fit.apply(all(seeds));
            double[] pseudo = IntStream.range(0, seeds)
                    .mapToDouble(left -> seeds * value
                            - (seeds - 1)
                                    * fit.apply(IntStream.range(0, seeds)
                                            .filter(seed -> seed != left)
                                            .toArray()))
                    .toArray();
            double mean = Arrays.stream(pseudo).average().orElseThrow();
            if (Double.isNaN(mean)) {
                return new Jackknife(value, new Interval(Double.NaN, Double.NaN), seeds);
            }
            Interval interval = Interval.mean(pseudo);
            return new Jackknife(
                    value, new Interval(interval.low() + value - mean, interval.high() + value - mean), seeds);
        }

        static int[] all(int seeds) {
            return IntStream.range(0, seeds).toArray();
        }

        /** Whether all fits, to all seeds and without each single seed, have a value. */
        boolean isKnown() {
            return !Double.isNaN(interval.low());
        }

        Jackknife exp() {
            return new Jackknife(
                    Math.exp(value), new Interval(Math.exp(interval.low()), Math.exp(interval.high())), seeds);
        }

        Measurement measured(String name, String unit, @Nullable Reference reference) {
            return new Measurement(name, value, unit, interval, seeds, reference);
        }

        String text(String name) {
            return Judgement.text(name, "%.3f", value, interval);
        }
    }
}
