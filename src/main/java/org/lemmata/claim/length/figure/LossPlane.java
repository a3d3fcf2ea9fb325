package org.lemmata.claim.length.figure;

import java.util.ArrayList;

/**
 * log loss = a + b log(N / Delta) + d log Delta: the least squares over the training lengths and periods of a figure,
 * by the loss at the maximum test length. For a fixed loss N grows as Delta^(1 - d / b).
 *
 * @param constant a
 * @param ofRatio b
 * @param ofPeriod d
 */
record LossPlane(double constant, double ofRatio, double ofPeriod) {

    /** That of some seeds. */
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
            means[i] = rows.stream().mapToDouble(row -> row[column]).average().orElse(Double.NaN);
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

    /** The training length for a loss, by Delta. */
    PowerLaw length(double loss) {
        return new PowerLaw(Math.exp((Math.log(loss) - constant) / ofRatio), 1 - ofPeriod / ofRatio);
    }

    /** 1 - d / b, over the seeds. */
    static Jackknife exponent(LossCurves curves) {
        return Jackknife.of(curves.seeds(), seeds -> of(curves, seeds).length(1).exponent());
    }
}
