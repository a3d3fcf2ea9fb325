package org.lemmata.kernel.normalization;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.LaneSum;
import org.lemmata.kernel.elementary.LastLanes;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.thread.Workers;

/**
 * One backward call on rows of at least one vector, cut into chunks of rows.
 *
 * <p>Each chunk sums its share of dgain and dshift aside, row by row; the caller adds the shares up.
 */
final class BackwardRows implements Workers.Chunks {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private static final int LANES = SPECIES.length();

    /** What a row keeps from its sums: pivot, r, -rest r, -(mean of g) r, -(mean of g h) r. */
    private static final int FACTORS = 5;

    private static final float[] NONE = {};

    float[] dx = NONE;
    int dxOffset;
    int dxStride;
    float[] dy = NONE;
    int dyOffset;
    int dyStride;
    float[] statistics = NONE;
    int statisticsOffset;
    float[] x = NONE;
    int xOffset;
    int xStride;
    float[] gain = NONE;
    int gainOffset;
    boolean layer;
    boolean parameters;
    int rows;
    int columns;
    int chunkRows;

    /** Of each chunk: sums for dgain, sums for dshift, factors of the row at hand. */
    private float[] shares = {};

    private float[] ones = {};

    /** As many ones as the call has columns, or more. */
    float[] ones() {
        if (ones.length < columns) {
            ones = new float[columns];
            Arrays.fill(ones, 1);
        }
        return ones;
    }

    void reserve(int chunks) {
        int length = chunks * shareLength();
        if (shares.length < length) {
            shares = new float[length];
        }
    }

    private int shareLength() {
        return 2 * columns + FACTORS;
    }

    /** Lets go of the caller's arrays. */
    void clear() {
        dx = NONE;
        dy = NONE;
        statistics = NONE;
        x = NONE;
        gain = NONE;
    }

    @Override
    public void run(int chunk) {
        int dgainAt = chunk * shareLength();
        int dshiftAt = dgainAt + columns;
        int factors = dshiftAt + columns;
        Arrays.fill(shares, dgainAt, factors, 0);
        int end = Math.min(rows, (chunk + 1) * chunkRows);
        for (int i = chunk * chunkRows; i < end; i++) {
            factorsInto(factors, i);
            int from = xOffset + i * xStride;
            int at = dyOffset + i * dyStride;
            if (parameters) {
                addRow(shares, dgainAt, dshiftAt, dy, at, x, from, columns, factors);
            }
            apply(dx, dxOffset + i * dxStride, dy, at, x, from, gain, gainOffset, columns, shares, factors);
        }
    }

    /** Adds the shares of all chunks, in ascending order. */
    void addShares(float[] gradient, int offset, int chunks, boolean shift) {
        for (int chunk = 0; chunk < chunks; chunk++) {
            add(gradient, offset, shares, chunk * shareLength() + (shift ? columns : 0), columns);
        }
    }

    private static void add(float[] sums, int offset, float[] terms, int from, int count) {
        for (int j = 0; j < count; j++) {
            sums[offset + j] += terms[from + j];
        }
    }

    private void factorsInto(int at, int i) {
        int from = statisticsOffset + i * (layer ? 3 : 1);
        float reciprocal = statistics[from];
        float pivot = layer ? statistics[from + 1] : 0;
        float product = layer ? -(statistics[from + 2] * reciprocal) : 0;
        shares[at] = pivot;
        shares[at + 1] = reciprocal;
        shares[at + 2] = product;
        sumInto(
                shares,
                at,
                dy,
                dyOffset + i * dyStride,
                x,
                xOffset + i * xStride,
                gain,
                gainOffset,
                columns,
                pivot,
                reciprocal,
                product);
        shares[at + 3] = layer ? -(shares[at + 3] / columns * reciprocal) : 0;
        shares[at + 4] = -(shares[at + 4] / columns * reciprocal);
    }

    /** sum_j g_j to {@code sums[at + 3]}, sum_j g_j h_j to {@code sums[at + 4]}. */
    private static void sumInto(
            float[] sums,
            int at,
            float[] dy,
            int dyFrom,
            float[] x,
            int from,
            float[] gain,
            int gainOffset,
            int columns,
            float pivot,
            float reciprocal,
            float product) {
        FloatVector p = FloatVector.broadcast(SPECIES, pivot);
        FloatVector r = FloatVector.broadcast(SPECIES, reciprocal);
        FloatVector q = FloatVector.broadcast(SPECIES, product);
        FloatVector sum = FloatVector.zero(SPECIES);
        FloatVector inner = FloatVector.zero(SPECIES);
        int j = 0;
        for (; j <= columns - LANES; j += LANES) {
            FloatVector g = FloatVector.fromArray(SPECIES, dy, dyFrom + j)
                    .mul(FloatVector.fromArray(SPECIES, gain, gainOffset + j));
            sum = sum.add(g);
            inner = FloatVector.fromArray(SPECIES, x, from + j).sub(p).fma(r, q).fma(g, inner);
        }
        if (j < columns) {
            int last = columns - LANES;
            FloatVector g = FloatVector.fromArray(SPECIES, dy, dyFrom + last)
                    .mul(FloatVector.fromArray(SPECIES, gain, gainOffset + last));
            g = LastLanes.keep(g, columns - j);
            sum = sum.add(g);
            FloatVector h =
                    FloatVector.fromArray(SPECIES, x, from + last).sub(p).fma(r, q);
            inner = LastLanes.keep(h, columns - j).fma(g, inner);
        }
        sums[at + 3] = LaneSum.sum(sum).lane(0);
        sums[at + 4] = LaneSum.sum(inner).lane(0);
    }

    /** dx = (h b + (g r + a)), the last two factors being a and b. */
    private static void apply(
            float[] dx,
            int to,
            float[] dy,
            int dyFrom,
            float[] x,
            int from,
            float[] gain,
            int gainOffset,
            int columns,
            float[] factors,
            int at) {
        FloatVector p = FloatVector.broadcast(SPECIES, factors[at]);
        FloatVector r = FloatVector.broadcast(SPECIES, factors[at + 1]);
        FloatVector q = FloatVector.broadcast(SPECIES, factors[at + 2]);
        FloatVector a = FloatVector.broadcast(SPECIES, factors[at + 3]);
        FloatVector b = FloatVector.broadcast(SPECIES, factors[at + 4]);
        // The last vector overlaps the one before it, and is read first, since dx may be dy or x.
        int last = columns - LANES;
        FloatVector lastG = FloatVector.fromArray(SPECIES, dy, dyFrom + last)
                .mul(FloatVector.fromArray(SPECIES, gain, gainOffset + last));
        FloatVector lastX = FloatVector.fromArray(SPECIES, x, from + last);
        for (int j = 0; j < last; j += LANES) {
            FloatVector g = FloatVector.fromArray(SPECIES, dy, dyFrom + j)
                    .mul(FloatVector.fromArray(SPECIES, gain, gainOffset + j));
            FloatVector.fromArray(SPECIES, x, from + j)
                    .sub(p)
                    .fma(r, q)
                    .fma(b, g.fma(r, a))
                    .intoArray(dx, to + j);
        }
        lastX.sub(p).fma(r, q).fma(b, lastG.fma(r, a)).intoArray(dx, to + last);
    }

    /** Adds one row's dy h and dy to the sums for dgain and dshift. */
    private static void addRow(
            float[] shares,
            int dgainAt,
            int dshiftAt,
            float[] dy,
            int dyFrom,
            float[] x,
            int from,
            int columns,
            int at) {
        FloatVector p = FloatVector.broadcast(SPECIES, shares[at]);
        FloatVector r = FloatVector.broadcast(SPECIES, shares[at + 1]);
        FloatVector q = FloatVector.broadcast(SPECIES, shares[at + 2]);
        int j = 0;
        for (; j <= columns - LANES; j += LANES) {
            FloatVector u = FloatVector.fromArray(SPECIES, dy, dyFrom + j);
            FloatVector.fromArray(SPECIES, x, from + j)
                    .sub(p)
                    .fma(r, q)
                    .fma(u, FloatVector.fromArray(SPECIES, shares, dgainAt + j))
                    .intoArray(shares, dgainAt + j);
            u.add(FloatVector.fromArray(SPECIES, shares, dshiftAt + j)).intoArray(shares, dshiftAt + j);
        }
        for (; j < columns; j++) {
            float u = dy[dyFrom + j];
            float h = Math.fma(x[from + j] - shares[at], shares[at + 1], shares[at + 2]);
            shares[dgainAt + j] = Math.fma(h, u, shares[dgainAt + j]);
            shares[dshiftAt + j] += u;
        }
    }
}
