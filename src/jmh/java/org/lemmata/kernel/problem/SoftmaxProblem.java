package org.lemmata.kernel.problem;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.softmax.Softmax;

/** Softmax of rows of scores from -8 to 8. It is not in place, because repeated softmax becomes nearly uniform. */
public final class SoftmaxProblem {

    private final int columns;
    private final Matrix scores;
    private final double[] exact;
    private final Matrix written;

    /** The exact probabilities, rounded, which the backward pass reads. */
    private final Matrix y;

    private final Matrix dy;
    private final Matrix dx;

    public SoftmaxProblem(int rows, int columns) {
        this.columns = columns;
        SplittableRandom random = new SplittableRandom(1);
        scores = Numbers.uniform(rows, columns, -8, 8, random);
        dy = Numbers.uniform(rows, columns, -1, 1, random);
        exact = probabilities(scores.array(), columns);
        float[] rounded = new float[exact.length];
        for (int i = 0; i < rounded.length; i++) {
            rounded[i] = (float) exact[i];
        }
        y = Matrix.of(rounded, rows, columns);
        written = Matrix.of(new float[exact.length], rows, columns);
        dx = Matrix.of(new float[exact.length], rows, columns);
    }

    static double[] probabilities(float[] scores, int columns) {
        double[] exact = new double[scores.length];
        for (int row = 0; row < scores.length; row += columns) {
            double sum = 0;
            for (int at = row; at < row + columns; at++) {
                exact[at] = Math.exp(scores[at]);
                sum += exact[at];
            }
            for (int at = row; at < row + columns; at++) {
                exact[at] /= sum;
            }
        }
        return exact;
    }

    /**
     * The forward pass. A sum of n terms and exponents up to 16 allow n + 22 ulps. An exponential counts as one
     * operation.
     */
    public Workload<Softmax> forward() {
        return new Workload<>(
                written.array(),
                softmax -> softmax.forwardInto(written, scores),
                at -> Expected.inUlps(exact[at]),
                columns + 22,
                5.0 * exact.length,
                8.0 * exact.length);
    }

    /** The backward pass. Errors are in units of y_j (|dy_j| + sum_l |dy_l| y_l). */
    public Workload<Softmax> backward() {
        Expected[] inner = new Expected[y.rows()];
        Arrays.setAll(inner, row -> Expected.of(columns, j -> (double) dy.get(row, j) * y.get(row, j)));
        return new Workload<>(
                dx.array(),
                softmax -> softmax.backwardInto(dx, dy, y),
                at -> {
                    Expected ofRow = inner[at / columns];
                    float weight = y.array()[at];
                    float gradient = dy.array()[at];
                    return new Expected(
                            weight * (gradient - ofRow.value()), weight * (Math.abs(gradient) + ofRow.size()));
                },
                columns + 4,
                4.0 * exact.length,
                12.0 * exact.length);
    }
}
