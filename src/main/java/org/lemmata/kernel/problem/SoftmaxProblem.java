package org.lemmata.kernel.problem;

import java.util.SplittableRandom;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.softmax.Softmax;

/** Softmax of rows of scores from -8 to 8. In place, the softmax of a softmax would be nearly uniform. */
public final class SoftmaxProblem {

    private final int columns;
    private final float[] scores;
    private final double[] exact;
    private final float[] written;

    /** The exact probabilities, rounded, which the backward pass reads. */
    private final float[] y;

    private final float[] dy;
    private final float[] dx;
    private final int rows;

    public SoftmaxProblem(int rows, int columns) {
        this.rows = rows;
        this.columns = columns;
        SplittableRandom random = new SplittableRandom(1);
        scores = Numbers.uniform(rows * columns, -8, 8, random);
        dy = Numbers.uniform(rows * columns, -1, 1, random);
        exact = probabilities(scores, columns);
        y = new float[scores.length];
        for (int i = 0; i < y.length; i++) {
            y[i] = (float) exact[i];
        }
        written = new float[scores.length];
        dx = new float[scores.length];
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
     * A sum of n terms and an exponent of at most 16 allow n + 22 ulps; 5 operations, an exponential counted as one.
     */
    public Workload<Softmax> forward() {
        Matrix ofWritten = Matrix.of(written, rows, columns);
        Matrix ofScores = Matrix.of(scores, rows, columns);
        return new Workload<>(
                written,
                softmax -> softmax.forwardInto(ofWritten, ofScores),
                at -> Sum.inUlps(exact[at]),
                columns + 22,
                5.0 * scores.length,
                8.0 * scores.length);
    }

    /** In units of y_j (|dy_j| + sum_l |dy_l| y_l). */
    public Workload<Softmax> backward() {
        Matrix ofDx = Matrix.of(dx, rows, columns);
        Matrix ofDy = Matrix.of(dy, rows, columns);
        Matrix ofY = Matrix.of(y, rows, columns);
        Sum[] inner = new Sum[rows];
        for (int row = 0; row < rows; row++) {
            int first = row * columns;
            inner[row] = Sum.of(columns, j -> (double) dy[first + j] * y[first + j]);
        }
        return new Workload<>(
                dx,
                softmax -> softmax.backwardInto(ofDx, ofDy, ofY),
                at -> {
                    Sum ofRow = inner[at / columns];
                    return new Sum(y[at] * (dy[at] - ofRow.value()), y[at] * (Math.abs(dy[at]) + ofRow.size()));
                },
                columns + 4,
                4.0 * scores.length,
                12.0 * scores.length);
    }
}
