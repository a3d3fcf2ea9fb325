package org.lemmata.kernel.problem;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.normalization.GainAndShift;
import org.lemmata.kernel.normalization.Normalization;
import org.lemmata.kernel.normalization.ScalarNormalization;

/** Normalization of rows of numbers from -1 to 2, with gain and shift. */
public final class NormalizationProblem {

    private static final float EPSILON = 1e-5f;

    private final Normalization.Kind kind;
    private final int rows;
    private final int columns;
    private final float[] x;
    private final float[] y;
    private final float[] dy;
    private final float[] gain;
    private final float[] shift;

    /** The gradients of x, then of the gain, then of the shift. */
    private final float[] gradients;

    private final Matrix ofX;
    private final Matrix statistics;
    private final GainAndShift parameters;

    /**
     * The mean m_i of each row, or 0 if no mean is subtracted. {@link #factors} has r_i as in {@link Normalization}.
     */
    private final double[] means;

    private final double[] factors;

    public NormalizationProblem(int rows, int columns, Normalization.Kind kind) {
        this.kind = kind;
        this.rows = rows;
        this.columns = columns;
        SplittableRandom random = new SplittableRandom(1);
        x = Numbers.uniform(rows * columns, -1, 2, random);
        dy = Numbers.uniform(rows * columns, -1, 2, random);
        gain = Numbers.uniform(columns, -1, 2, random);
        shift = Numbers.uniform(columns, -1, 2, random);
        y = new float[x.length];
        gradients = new float[x.length + 2 * columns];
        ofX = Matrix.of(x, rows, columns);
        statistics = Matrix.of(new float[rows * kind.statistics()], rows, kind.statistics());
        parameters = new GainAndShift(Matrix.row(gain, 0, columns), Matrix.row(shift, 0, columns));
        means = new double[rows];
        factors = new double[rows];
        for (int i = 0; i < rows; i++) {
            int first = i * columns;
            double mean = kind == Normalization.Kind.LAYER
                    ? Expected.of(columns, j -> x[first + j]).value() / columns
                    : 0;
            double squares = Expected.of(columns, j -> (x[first + j] - mean) * (x[first + j] - mean))
                    .value();
            means[i] = mean;
            factors[i] = 1 / Math.sqrt(squares / columns + EPSILON);
        }
        // Computes the statistics for the backward pass, even if it is called first.
        forward().run(new ScalarNormalization());
    }

    private double maxUlps() {
        return 16 + columns / 8.0;
    }

    private double normalized(int at) {
        return (x[at] - means[at / columns]) * factors[at / columns];
    }

    public Workload<Normalization> forward() {
        Matrix ofY = Matrix.of(y, rows, columns);
        return new Workload<>(
                y,
                normalization -> normalization.forward(ofY, statistics, ofX, parameters, kind, EPSILON),
                at -> {
                    double mean = means[at / columns] * factors[at / columns] * gain[at % columns];
                    Expected sum = Expected.of(normalized(at) * gain[at % columns], shift[at % columns]);
                    return new Expected(sum.value(), sum.size() + Math.abs(mean));
                },
                maxUlps(),
                8.0 * x.length,
                8.0 * x.length);
    }

    public Workload<Normalization> backward() {
        Matrix dx = Matrix.of(gradients, rows, columns);
        Matrix ofDy = Matrix.of(dy, rows, columns);
        var dparameters = new GainAndShift(
                Matrix.row(gradients, x.length, columns), Matrix.row(gradients, x.length + columns, columns));
        Expected[] centers = new Expected[rows];
        Expected[] inners = new Expected[rows];
        for (int i = 0; i < rows; i++) {
            int first = i * columns;
            boolean centered = kind == Normalization.Kind.LAYER;
            centers[i] = Expected.of(centered ? columns : 0, j -> (double) dy[first + j] * gain[j] / columns);
            inners[i] = Expected.of(columns, j -> (double) dy[first + j] * gain[j] * normalized(first + j) / columns);
        }
        return new Workload<>(
                () -> Arrays.fill(gradients, x.length, gradients.length, 0),
                gradients,
                normalization -> normalization.backward(dx, dparameters, ofDy, statistics, ofX, parameters, kind),
                at -> at < x.length ? inputGradient(at, centers, inners) : parameterGradient(at - x.length),
                maxUlps(),
                14.0 * x.length,
                12.0 * x.length);
    }

    private Expected inputGradient(int at, Expected[] centers, Expected[] inners) {
        Expected center = centers[at / columns];
        Expected inner = inners[at / columns];
        double g = (double) dy[at] * gain[at % columns];
        double h = normalized(at);
        double factor = factors[at / columns];
        return new Expected(
                factor * (g - center.value() - h * inner.value()),
                factor * (Math.abs(g) + center.size() + Math.abs(h) * inner.size()));
    }

    private Expected parameterGradient(int at) {
        int j = at % columns;
        if (at >= columns) {
            // The terms have a nonzero mean, so the error of their running sum grows with the number of rows.
            Expected sum = Expected.of(rows, i -> dy[i * columns + j]);
            return new Expected(sum.value(), sum.size() * Math.max(1, rows / 256.0));
        }
        Expected sum = Expected.of(rows, i -> dy[i * columns + j] * normalized(i * columns + j));
        Expected ofMeans = Expected.of(rows, i -> dy[i * columns + j] * means[i] * factors[i]);
        return new Expected(sum.value(), sum.size() + ofMeans.size());
    }
}
