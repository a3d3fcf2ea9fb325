package org.lemmata.kernel.normalization;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.elementary.LaneSum;
import org.lemmata.kernel.elementary.LastLanes;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.thread.Workers;

final class ForwardRows implements Workers.Chunks {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    static final int LANES = SPECIES.length();

    private static final int GROUP = 4 * LANES;

    /** Below this variance (far above 2^24 Float.MIN_VALUE), squares may have lost bits to gradual underflow. */
    private static final float MIN_VARIANCE = 0x1p-100f;

    private static final float[] NO_NUMBERS = {};

    private static final Matrix NONE = Matrix.empty();

    private Matrix y = NONE;
    private @Nullable Matrix statistics;
    private Matrix x = NONE;
    private Matrix gain = NONE;
    // Read through the matrices, gain and shift halve the speed of this class (Zen 4).
    private float[] gainArray = NO_NUMBERS;
    private int gainOffset;
    private Matrix shift = NONE;
    private float[] shiftArray = NO_NUMBERS;
    private int shiftOffset;
    private int columns;
    private Normalization.Kind kind = Normalization.Kind.LAYER;
    private float epsilon;
    private int chunkRows;

    /** Vectors of ones and zeros in place of a missing gain and shift. */
    private final Matrix ones = Matrix.empty();

    private final Matrix zeros = Matrix.empty();

    void run(
            Workers workers,
            int newChunkRows,
            Matrix givenY,
            @Nullable Matrix givenStatistics,
            Matrix givenX,
            GainAndShift weights,
            Normalization.Kind newKind,
            float newEpsilon) {
        chunkRows = newChunkRows;
        y = givenY;
        statistics = givenStatistics;
        x = givenX;
        columns = givenX.columns();
        gain = presentOr(weights.gain(), ones, 1, columns);
        gainArray = gain.array();
        gainOffset = gain.offset();
        shift = presentOr(weights.shift(), zeros, 0, columns);
        shiftArray = shift.array();
        shiftOffset = shift.offset();
        kind = newKind;
        epsilon = newEpsilon;
        workers.run(Math.ceilDiv(x.rows(), chunkRows), this);
        // Lets the garbage collector free the caller's arrays.
        y = NONE;
        statistics = null;
        x = NONE;
        gain = NONE;
        gainArray = NO_NUMBERS;
        shift = NONE;
        shiftArray = NO_NUMBERS;
    }

    /** {@code given}, or if it is null, a vector of {@code constant}. */
    static Matrix presentOr(@Nullable Matrix given, Matrix constants, float constant, int columns) {
        if (given != null) {
            return given;
        }
        if (constants.columns() < columns) {
            float[] filled = new float[columns];
            Arrays.fill(filled, constant);
            constants.at(filled, 1, columns);
        }
        return constants;
    }

    @Override
    public void run(int chunk) {
        int first = chunk * chunkRows;
        int end = Math.min(x.rows(), first + chunkRows);
        if (columns <= 2 * LANES) {
            normalizeTwoVectors(first, end);
        } else if (columns <= 4 * LANES) {
            normalizeFourVectors(first, end);
        } else {
            for (int i = first; i < end; i++) {
                normalizeRow(i);
            }
        }
    }

    /** Normalizes rows of one or two vectors, which stay in registers. */
    private void normalizeTwoVectors(int first, int end) {
        float[] x = this.x.array();
        int xOffset = this.x.offset();
        int xStride = this.x.stride();
        float[] y = this.y.array();
        int yOffset = this.y.offset();
        int yStride = this.y.stride();
        int last = columns - LANES;
        FloatVector gain0 = FloatVector.fromArray(SPECIES, gainArray, gainOffset);
        FloatVector gain1 = FloatVector.fromArray(SPECIES, gainArray, gainOffset + last);
        FloatVector shift0 = FloatVector.fromArray(SPECIES, shiftArray, shiftOffset);
        FloatVector shift1 = FloatVector.fromArray(SPECIES, shiftArray, shiftOffset + last);
        // Lanes with weight 0 contain elements of the same row, so an infinity or NaN there affects no other row.
        FloatVector kept1 = LastLanes.weights(last);
        boolean layer = kind == Normalization.Kind.LAYER;
        // Without a mean the factor is 0. If the sum is not finite, the variance then becomes NaN, as intended.
        float share = layer ? 1f / columns : 0;
        for (int i = first; i < end; i++) {
            int from = xOffset + i * xStride;
            float pivot = layer ? x[from] : 0;
            FloatVector p = FloatVector.broadcast(SPECIES, pivot);
            FloatVector x0 = FloatVector.fromArray(SPECIES, x, from).sub(p);
            FloatVector x1 = FloatVector.fromArray(SPECIES, x, from + last).sub(p);
            FloatVector mean = LaneSum.sum(x1.fma(kept1, x0)).mul(share);
            x0 = x0.sub(mean);
            x1 = x1.sub(mean);
            float variance = LaneSum.sum(x1.mul(kept1).fma(x1, x0.mul(x0))).lane(0) / columns + epsilon;
            if (!(variance >= MIN_VARIANCE && variance <= Float.MAX_VALUE)) {
                normalizeInBinary64(i);
                continue;
            }
            float reciprocal = 1 / (float) Math.sqrt(variance);
            keepStatistics(i, layer, reciprocal, pivot, mean.lane(0));
            int to = yOffset + i * yStride;
            x0.mul(reciprocal).fma(gain0, shift0).intoArray(y, to);
            x1.mul(reciprocal).fma(gain1, shift1).intoArray(y, to + last);
        }
    }

    /** Normalizes rows of three or four vectors, which stay in registers. */
    private void normalizeFourVectors(int first, int end) {
        float[] x = this.x.array();
        int xOffset = this.x.offset();
        int xStride = this.x.stride();
        float[] y = this.y.array();
        int yOffset = this.y.offset();
        int yStride = this.y.stride();
        int last = columns - LANES;
        int third = Math.min(2 * LANES, last);
        FloatVector gain0 = FloatVector.fromArray(SPECIES, gainArray, gainOffset);
        FloatVector gain1 = FloatVector.fromArray(SPECIES, gainArray, gainOffset + LANES);
        FloatVector gain2 = FloatVector.fromArray(SPECIES, gainArray, gainOffset + third);
        FloatVector gain3 = FloatVector.fromArray(SPECIES, gainArray, gainOffset + last);
        FloatVector shift0 = FloatVector.fromArray(SPECIES, shiftArray, shiftOffset);
        FloatVector shift1 = FloatVector.fromArray(SPECIES, shiftArray, shiftOffset + LANES);
        FloatVector shift2 = FloatVector.fromArray(SPECIES, shiftArray, shiftOffset + third);
        FloatVector shift3 = FloatVector.fromArray(SPECIES, shiftArray, shiftOffset + last);
        // If there are only three vectors, the last is loaded twice, and one copy gets weight 0.
        FloatVector kept2 = LastLanes.weights(Math.min(LANES, columns - 2 * LANES));
        FloatVector kept3 = LastLanes.weights(Math.max(0, columns - 3 * LANES));
        boolean layer = kind == Normalization.Kind.LAYER;
        float share = layer ? 1f / columns : 0;
        for (int i = first; i < end; i++) {
            int from = xOffset + i * xStride;
            float pivot = layer ? x[from] : 0;
            FloatVector p = FloatVector.broadcast(SPECIES, pivot);
            FloatVector x0 = FloatVector.fromArray(SPECIES, x, from).sub(p);
            FloatVector x1 = FloatVector.fromArray(SPECIES, x, from + LANES).sub(p);
            FloatVector x2 = FloatVector.fromArray(SPECIES, x, from + third).sub(p);
            FloatVector x3 = FloatVector.fromArray(SPECIES, x, from + last).sub(p);
            FloatVector mean =
                    LaneSum.sum(x2.fma(kept2, x0).add(x3.fma(kept3, x1))).mul(share);
            x0 = x0.sub(mean);
            x1 = x1.sub(mean);
            x2 = x2.sub(mean);
            x3 = x3.sub(mean);
            FloatVector even = x2.mul(kept2).fma(x2, x0.mul(x0));
            FloatVector odd = x3.mul(kept3).fma(x3, x1.mul(x1));
            float variance = LaneSum.sum(even.add(odd)).lane(0) / columns + epsilon;
            if (!(variance >= MIN_VARIANCE && variance <= Float.MAX_VALUE)) {
                normalizeInBinary64(i);
                continue;
            }
            float reciprocal = 1 / (float) Math.sqrt(variance);
            keepStatistics(i, layer, reciprocal, pivot, mean.lane(0));
            int to = yOffset + i * yStride;
            x0.mul(reciprocal).fma(gain0, shift0).intoArray(y, to);
            x1.mul(reciprocal).fma(gain1, shift1).intoArray(y, to + LANES);
            x2.mul(reciprocal).fma(gain2, shift2).intoArray(y, to + third);
            x3.mul(reciprocal).fma(gain3, shift3).intoArray(y, to + last);
        }
    }

    private void keepStatistics(int i, boolean layer, float reciprocal, float pivot, float rest) {
        if (statistics != null) {
            int at = statistics.start(i);
            statistics.array()[at] = reciprocal;
            if (layer) {
                statistics.array()[at + 1] = pivot;
                statistics.array()[at + 2] = rest;
            }
        }
    }

    private void normalizeRow(int i) {
        float[] row = x.array();
        int from = x.start(i);
        float pivot = 0;
        float rest = 0;
        if (kind == Normalization.Kind.LAYER) {
            // If elements are close together, their differences from one element are small, even if all are far from 0.
            pivot = row[from];
            rest = sum(row, from, columns, pivot) / columns;
        }
        float variance = sumOfSquares(row, from, columns, pivot, rest) / columns + epsilon;
        if (!(variance >= MIN_VARIANCE && variance <= Float.MAX_VALUE)) {
            normalizeInBinary64(i);
            return;
        }
        float reciprocal = 1 / (float) Math.sqrt(variance);
        keepStatistics(i, kind == Normalization.Kind.LAYER, reciprocal, pivot, rest);
        apply(i, pivot, reciprocal, -(rest * reciprocal));
    }

    /** Normalizes a row whose variance is too small or too large for binary32, or that has an infinity or NaN. */
    private void normalizeInBinary64(int i) {
        ScalarNormalization.forwardRow(y, statistics, x, gain, shift, kind, epsilon, i);
    }

    /** sum_j (x_j - pivot). */
    private static float sum(float[] x, int from, int columns, float pivot) {
        FloatVector p = FloatVector.broadcast(SPECIES, pivot);
        FloatVector sum = FloatVector.zero(SPECIES);
        int end = from + columns;
        int j = from;
        if (columns >= GROUP) {
            FloatVector sum1 = sum;
            FloatVector sum2 = sum;
            FloatVector sum3 = sum;
            for (; j <= end - GROUP; j += GROUP) {
                sum = sum.add(FloatVector.fromArray(SPECIES, x, j).sub(p));
                sum1 = sum1.add(FloatVector.fromArray(SPECIES, x, j + LANES).sub(p));
                sum2 = sum2.add(FloatVector.fromArray(SPECIES, x, j + 2 * LANES).sub(p));
                sum3 = sum3.add(FloatVector.fromArray(SPECIES, x, j + 3 * LANES).sub(p));
            }
            sum = sum.add(sum1).add(sum2.add(sum3));
        }
        for (; j <= end - LANES; j += LANES) {
            sum = sum.add(FloatVector.fromArray(SPECIES, x, j).sub(p));
        }
        if (j < end) {
            FloatVector last = FloatVector.fromArray(SPECIES, x, end - LANES).sub(p);
            sum = sum.add(LastLanes.keep(last, end - j));
        }
        return LaneSum.sum(sum).lane(0);
    }

    /** sum_j ((x_j - pivot) - rest)^2. */
    private static float sumOfSquares(float[] x, int from, int columns, float pivot, float rest) {
        FloatVector p = FloatVector.broadcast(SPECIES, pivot);
        FloatVector q = FloatVector.broadcast(SPECIES, rest);
        FloatVector sum = FloatVector.zero(SPECIES);
        int end = from + columns;
        int j = from;
        if (columns >= GROUP) {
            FloatVector sum1 = sum;
            FloatVector sum2 = sum;
            FloatVector sum3 = sum;
            for (; j <= end - GROUP; j += GROUP) {
                FloatVector d = FloatVector.fromArray(SPECIES, x, j).sub(p).sub(q);
                sum = d.fma(d, sum);
                d = FloatVector.fromArray(SPECIES, x, j + LANES).sub(p).sub(q);
                sum1 = d.fma(d, sum1);
                d = FloatVector.fromArray(SPECIES, x, j + 2 * LANES).sub(p).sub(q);
                sum2 = d.fma(d, sum2);
                d = FloatVector.fromArray(SPECIES, x, j + 3 * LANES).sub(p).sub(q);
                sum3 = d.fma(d, sum3);
            }
            sum = sum.add(sum1).add(sum2.add(sum3));
        }
        for (; j <= end - LANES; j += LANES) {
            FloatVector d = FloatVector.fromArray(SPECIES, x, j).sub(p).sub(q);
            sum = d.fma(d, sum);
        }
        if (j < end) {
            FloatVector d =
                    FloatVector.fromArray(SPECIES, x, end - LANES).sub(p).sub(q);
            d = LastLanes.keep(d, end - j);
            sum = d.fma(d, sum);
        }
        return LaneSum.sum(sum).lane(0);
    }

    /** y = gain ((x - pivot) r + q) + shift, with q = -rest r. */
    private void apply(int i, float pivot, float reciprocal, float product) {
        float[] y = this.y.array();
        float[] x = this.x.array();
        float[] gain = this.gain.array();
        float[] shift = this.shift.array();
        int gainOffset = this.gain.offset();
        int shiftOffset = this.shift.offset();
        int to = this.y.start(i);
        int from = this.x.start(i);
        // The last vector overlaps the one before it. It is read first, because y may be x.
        int last = columns - LANES;
        FloatVector lastX = FloatVector.fromArray(SPECIES, x, from + last);
        for (int j = 0; j < last; j += LANES) {
            FloatVector.fromArray(SPECIES, x, from + j)
                    .sub(pivot)
                    .fma(reciprocal, product)
                    .fma(
                            FloatVector.fromArray(SPECIES, gain, gainOffset + j),
                            FloatVector.fromArray(SPECIES, shift, shiftOffset + j))
                    .intoArray(y, to + j);
        }
        lastX.sub(pivot)
                .fma(reciprocal, product)
                .fma(
                        FloatVector.fromArray(SPECIES, gain, gainOffset + last),
                        FloatVector.fromArray(SPECIES, shift, shiftOffset + last))
                .intoArray(y, to + last);
    }
}
