package org.lemmata.kernel.normalization;

import static org.lemmata.kernel.Guarded.filled;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.Guarded;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.oracle.ExactNormalization;

/** A guarded matrix to normalize, and its results. */
final class NormalizationCase {

    private static final double UNIT = 0x1p-24;

    final String name;
    final Normalization.Kind kind;
    final float epsilon;
    final int rows;
    final int columns;
    /** Rows without padding. */
    final float[] x;

    final float[] dy;
    final float @Nullable [] gain;
    final float @Nullable [] shift;
    boolean inPlace;

    NormalizationCase(
            String name,
            Normalization.Kind kind,
            float epsilon,
            int rows,
            int columns,
            boolean gain,
            boolean shift,
            DoubleSupplier elements,
            RandomGenerator random) {
        this.name = name + ", " + kind + ", epsilon " + epsilon + ", " + rows + " x " + columns + (gain ? ", gain" : "")
                + (shift ? ", shift" : "");
        this.kind = kind;
        this.epsilon = epsilon;
        this.rows = rows;
        this.columns = columns;
        this.x = filled(rows * columns, elements);
        this.dy = filled(rows * columns, () -> random.nextDouble(-1, 1));
        this.gain = gain ? filled(columns, () -> random.nextDouble(-2, 2)) : null;
        this.shift = shift ? filled(columns, () -> random.nextDouble(-2, 2)) : null;
    }

    static NormalizationCase random(
            Normalization.Kind kind, int rows, int columns, boolean gain, boolean shift, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return new NormalizationCase(
                "seed " + seed, kind, 1e-5f, rows, columns, gain, shift, () -> random.nextDouble(-1, 2), random);
    }

    /** The results of a run, without padding. */
    static final class Result {
        float[] y = {};
        float[] dx = {};
        float[] dgain = {};
        float[] dshift = {};

        List<float[]> all() {
            return List.of(y, dx, dgain, dshift);
        }
    }

    private Matrix operand(float[] numbers) {
        return Guarded.operand(numbers, rows, columns);
    }

    private static @Nullable Matrix vector(float @Nullable [] numbers) {
        return numbers == null ? null : Guarded.operand(numbers);
    }

    private Matrix gradient(float before) {
        return Guarded.of(0, Guarded.SENTINEL, filled(columns, () -> before));
    }

    /** Runs both passes; dgain and dshift start from 1 and 2, and are requested if gain and shift are present. */
    Result run(Normalization normalization) {
        Matrix xs = operand(x);
        Matrix y = inPlace ? xs : Guarded.result(rows, columns);
        Matrix statistics = Guarded.result(rows, kind.statistics());
        Matrix gains = vector(gain);
        normalization.forward(y, statistics, xs, new GainAndShift(gains, vector(shift)), kind, epsilon);
        Result result = new Result();
        result.y = Guarded.numbers(y);
        Matrix dys = operand(dy);
        Matrix dx = inPlace ? dys : Guarded.result(rows, columns);
        Matrix dgain = gradient(1);
        Matrix dshift = gradient(2);
        normalization.backward(
                dx,
                new GainAndShift(gain == null ? null : dgain, shift == null ? null : dshift),
                dys,
                statistics,
                operand(x),
                new GainAndShift(gains, null),
                kind);
        Guarded.numbers(statistics);
        result.dx = Guarded.numbers(dx);
        result.dgain = Guarded.numbers(dgain);
        result.dshift = Guarded.numbers(dshift);
        return result;
    }

    private double[] row(float[] matrix, int i) {
        return IntStream.range(0, columns)
                .mapToDouble(j -> matrix[i * columns + j])
                .toArray();
    }

    /**
     * With D = (n / lanes + 16) 2^-24 for sums of n terms, each h is off by at most D (|h| + 2 max |h|): D relative
     * from r, and the roundings of x - pivot and of the mean, at most D max |x - pivot| r &lt;= 2 D max |h|. The bounds
     * of y, dx and dgain follow term by term.
     */
    Result check(Normalization normalization) {
        Result result = run(normalization);
        double d = (columns / (double) Species.FLOAT.length() + 16) * UNIT;
        double[] dgain = new double[columns];
        double[] dshift = new double[columns];
        double[] dgainBound = new double[columns];
        double[] dshiftBound = new double[columns];
        for (int i = 0; i < rows; i++) {
            var exact = new ExactNormalization(row(x, i), kind == Normalization.Kind.LAYER, epsilon);
            double[] h = exact.normalized();
            double max = Arrays.stream(h).map(Math::abs).max().orElse(0);
            double[] g = new double[columns];
            double meanG = 0;
            double meanGh = 0;
            for (int j = 0; j < columns; j++) {
                g[j] = (gain == null ? 1.0 : gain[j]) * dy[i * columns + j];
                meanG += Math.abs(g[j]) / columns;
                meanGh += Math.abs(g[j] * h[j]) / columns;
            }
            double[] dx = exact.gradient(g);
            for (int j = 0; j < columns; j++) {
                int at = i * columns + j;
                double scaled = (gain == null ? 1.0 : gain[j]) * h[j];
                double y = scaled + (shift == null ? 0 : shift[j]);
                double off = d * (Math.abs(h[j]) + 2 * max);
                double yBound = off * (gain == null ? 1 : Math.abs(gain[j])) + UNIT * Math.abs(y);
                assertWithin("y", i, j, result.y[at], y, yBound);
                double bound = d
                        * exact.reciprocal()
                        * (Math.abs(g[j])
                                + meanG
                                + (Math.abs(h[j]) + 2 * max) * meanGh
                                + 3 * max * Math.abs(h[j]) * meanG);
                assertWithin("dx", i, j, result.dx[at], dx[j], bound);
                dgain[j] += dy[at] * h[j];
                dshift[j] += dy[at];
                dgainBound[j] += Math.abs(dy[at]) * (off + (rows + 1) * UNIT * Math.abs(h[j]));
                dshiftBound[j] += Math.abs(dy[at]) * (rows + 1) * UNIT;
            }
        }
        for (int j = 0; j < columns; j++) {
            // Gradients that were not requested must not change.
            double wantedGain = gain == null ? 1 : 1 + dgain[j];
            double wantedShift = shift == null ? 2 : 2 + dshift[j];
            assertWithin("dgain", 0, j, result.dgain[j], wantedGain, dgainBound[j] + (rows + 1) * UNIT);
            assertWithin("dshift", 0, j, result.dshift[j], wantedShift, dshiftBound[j] + (rows + 1) * 2 * UNIT);
        }
        return result;
    }

    private void assertWithin(String what, int i, int j, float actual, double exact, double bound) {
        Guarded.assertWithin(actual, exact, bound, () -> name + ": " + what + "[" + i + "][" + j + "]");
    }
}
