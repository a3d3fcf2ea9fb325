package org.lemmata.kernel.problem;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.lemmata.kernel.arithmetic.Arithmetic;

/** Sums and multiples of arrays, and sums of rows, with numbers from -1 to 1. Sums that are not reset grow slowly. */
public final class ArithmeticProblem {

    private static final float FACTOR = 0.7f;

    private final int rows;
    private final int columns;
    private final float[] x;
    private final float[] before;
    private final float[] y;

    public ArithmeticProblem(int rows, int columns) {
        this.rows = rows;
        this.columns = columns;
        SplittableRandom random = new SplittableRandom(1);
        x = Numbers.uniform(rows * columns, -1, 1, random);
        before = Numbers.uniform(rows * columns, -1, 1, random);
        y = before.clone();
    }

    public Workload<Arithmetic> add() {
        return new Workload<>(
                () -> System.arraycopy(before, 0, y, 0, y.length),
                y,
                arithmetic -> arithmetic.addInto(y, 0, x, 0, x.length),
                i -> Expected.of(before[i], x[i]),
                0.5,
                x.length,
                12.0 * x.length);
    }

    public Workload<Arithmetic> scale() {
        return new Workload<>(
                y,
                arithmetic -> arithmetic.scaleInto(y, 0, x, 0, x.length, FACTOR),
                i -> Expected.of((double) FACTOR * x[i]),
                0.5,
                x.length,
                8.0 * x.length);
    }

    public Workload<Arithmetic> addRows() {
        float[] sums = new float[columns];
        return new Workload<>(
                () -> Arrays.fill(sums, 0),
                sums,
                arithmetic -> arithmetic.addRowsInto(sums, 0, x, 0, columns, rows, columns),
                j -> Expected.of(rows, i -> x[i * columns + j]),
                rows,
                x.length,
                4.0 * x.length);
    }
}
