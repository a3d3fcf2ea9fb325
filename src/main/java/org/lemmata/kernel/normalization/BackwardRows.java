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

/**
 * A backward call, divided into chunks of rows. Each row fills at least one vector.
 *
 * <p>Each chunk sums its share of dgain and dshift separately, row by row; the caller then adds the shares.
 */
final class BackwardRows implements Workers.Chunks {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private static final int LANES = SPECIES.length();

    /**
     * The number of factors of a row: pivot, r, -rest r, -(mean of g) r, -(mean of g h) r. The mean of x is pivot +
     * rest; {@link Normalization} defines r, g and h.
     */
    private static final int FACTORS = 5;

    private static final Matrix NONE = Matrix.empty();

    private Matrix dx = NONE;
    private Matrix dy = NONE;
    private Matrix statistics = NONE;
    private Matrix x = NONE;
    private Matrix gain = NONE;
    private int columns;
    private boolean layer;
    private boolean parameters;
    private int chunkRows;

    /** For each chunk: its sums for dgain, its sums for dshift, and the factors of its current row. */
    private float[] shares = {};

    /** A vector of ones in place of a missing gain. */
    private final Matrix ones = Matrix.empty();

    void run(
            Workers workers,
            int newChunkRows,
            Matrix ofDx,
            GainAndShift dweights,
            Matrix ofDy,
            Matrix ofStatistics,
            Matrix ofX,
            @Nullable Matrix givenGain,
            Normalization.Kind kind) {
        chunkRows = newChunkRows;
        dx = ofDx;
        dy = ofDy;
        statistics = ofStatistics;
        x = ofX;
        columns = ofX.columns();
        gain = ForwardRows.presentOr(givenGain, ones, 1, columns);
        layer = kind == Normalization.Kind.LAYER;
        parameters = dweights.gain() != null || dweights.shift() != null;
        int chunks = Math.ceilDiv(x.rows(), chunkRows);
        if (shares.length < chunks * shareLength()) {
            shares = new float[chunks * shareLength()];
        }
        workers.run(chunks, this);
        addShares(dweights.gain(), chunks, false);
        addShares(dweights.shift(), chunks, true);
        // Lets the garbage collector free the caller's arrays.
        dx = NONE;
        dy = NONE;
        statistics = NONE;
        x = NONE;
        gain = NONE;
    }

    private int shareLength() {
        return 2 * columns + FACTORS;
    }

    @Override
    public void run(int chunk) {
        int dgainAt = chunk * shareLength();
        int dshiftAt = dgainAt + columns;
        int factors = dshiftAt + columns;
        Arrays.fill(shares, dgainAt, factors, 0);
        int first = chunk * chunkRows;
        int end = Math.min(x.rows(), first + chunkRows);
        if (columns <= 2 * LANES) {
            differentiateTwoVectors(dgainAt, dshiftAt, first, end);
            return;
        }
        if (columns <= 4 * LANES) {
            differentiateFourVectors(dgainAt, dshiftAt, first, end);
            return;
        }
        for (int i = first; i < end; i++) {
            factorsInto(factors, i);
            if (parameters) {
                applyAndAdd(i, dgainAt, dshiftAt, factors);
            } else {
                apply(i, factors);
            }
        }
    }

    /** Processes rows of one or two vectors: rows and the sums over rows stay in registers. */
    private void differentiateTwoVectors(int dgainAt, int dshiftAt, int first, int end) {
        float[] dx = this.dx.array();
        int dxOffset = this.dx.offset();
        int dxStride = this.dx.stride();
        float[] dy = this.dy.array();
        int dyOffset = this.dy.offset();
        int dyStride = this.dy.stride();
        float[] statistics = this.statistics.array();
        int statisticsOffset = this.statistics.offset();
        int statisticsStride = this.statistics.stride();
        float[] x = this.x.array();
        int xOffset = this.x.offset();
        int xStride = this.x.stride();
        int last = columns - LANES;
        FloatVector gain0 = FloatVector.fromArray(SPECIES, gain.array(), gain.offset());
        FloatVector gain1 = FloatVector.fromArray(SPECIES, gain.array(), gain.offset() + last);
        FloatVector kept1 = LastLanes.weights(last);
        FloatVector dgain0 = FloatVector.zero(SPECIES);
        FloatVector dgain1 = dgain0;
        FloatVector dshift0 = dgain0;
        FloatVector dshift1 = dgain0;
        for (int i = first; i < end; i++) {
            int at = statisticsOffset + i * statisticsStride;
            float r = statistics[at];
            float pivot = layer ? statistics[at + 1] : 0;
            FloatVector product = FloatVector.broadcast(SPECIES, layer ? -(statistics[at + 2] * r) : 0);
            int from = xOffset + i * xStride;
            FloatVector p = FloatVector.broadcast(SPECIES, pivot);
            FloatVector scale = FloatVector.broadcast(SPECIES, r);
            FloatVector h0 = FloatVector.fromArray(SPECIES, x, from).sub(p).fma(scale, product);
            FloatVector h1 =
                    FloatVector.fromArray(SPECIES, x, from + last).sub(p).fma(scale, product);
            from = dyOffset + i * dyStride;
            FloatVector dy0 = FloatVector.fromArray(SPECIES, dy, from);
            FloatVector dy1 = FloatVector.fromArray(SPECIES, dy, from + last);
            FloatVector g0 = dy0.mul(gain0);
            FloatVector g1 = dy1.mul(gain1);
            float inner = LaneSum.sum(g1.mul(kept1).fma(h1, h0.mul(g0))).lane(0);
            float sum = LaneSum.sum(g1.fma(kept1, g0)).lane(0);
            dgain0 = h0.fma(dy0, dgain0);
            dgain1 = h1.fma(dy1, dgain1);
            dshift0 = dshift0.add(dy0);
            dshift1 = dshift1.add(dy1);
            FloatVector a = FloatVector.broadcast(SPECIES, layer ? -(sum / columns * r) : 0);
            FloatVector b = FloatVector.broadcast(SPECIES, -(inner / columns * r));
            int to = dxOffset + i * dxStride;
            h0.fma(b, g0.fma(scale, a)).intoArray(dx, to);
            h1.fma(b, g1.fma(scale, a)).intoArray(dx, to + last);
        }
        dgain0.intoArray(shares, dgainAt);
        dgain1.intoArray(shares, dgainAt + last);
        dshift0.intoArray(shares, dshiftAt);
        dshift1.intoArray(shares, dshiftAt + last);
    }

    /** Processes rows of three or four vectors: rows and the sums over rows stay in registers. */
    private void differentiateFourVectors(int dgainAt, int dshiftAt, int first, int end) {
        float[] dx = this.dx.array();
        int dxOffset = this.dx.offset();
        int dxStride = this.dx.stride();
        float[] dy = this.dy.array();
        int dyOffset = this.dy.offset();
        int dyStride = this.dy.stride();
        float[] statistics = this.statistics.array();
        int statisticsOffset = this.statistics.offset();
        int statisticsStride = this.statistics.stride();
        float[] x = this.x.array();
        int xOffset = this.x.offset();
        int xStride = this.x.stride();
        int last = columns - LANES;
        int third = Math.min(2 * LANES, last);
        FloatVector gain0 = FloatVector.fromArray(SPECIES, gain.array(), gain.offset());
        FloatVector gain1 = FloatVector.fromArray(SPECIES, gain.array(), gain.offset() + LANES);
        FloatVector gain2 = FloatVector.fromArray(SPECIES, gain.array(), gain.offset() + third);
        FloatVector gain3 = FloatVector.fromArray(SPECIES, gain.array(), gain.offset() + last);
        FloatVector dgain0 = FloatVector.zero(SPECIES);
        FloatVector dgain1 = dgain0;
        FloatVector dgain2 = dgain0;
        FloatVector dgain3 = dgain0;
        FloatVector dshift0 = dgain0;
        FloatVector dshift1 = dgain0;
        FloatVector dshift2 = dgain0;
        FloatVector dshift3 = dgain0;
        // If there are only three vectors, the last is loaded twice, and one copy gets weight 0.
        FloatVector kept2 = LastLanes.weights(Math.min(LANES, columns - 2 * LANES));
        FloatVector kept3 = LastLanes.weights(Math.max(0, columns - 3 * LANES));
        for (int i = first; i < end; i++) {
            int at = statisticsOffset + i * statisticsStride;
            float r = statistics[at];
            float pivot = layer ? statistics[at + 1] : 0;
            FloatVector product = FloatVector.broadcast(SPECIES, layer ? -(statistics[at + 2] * r) : 0);
            int from = xOffset + i * xStride;
            FloatVector p = FloatVector.broadcast(SPECIES, pivot);
            FloatVector scale = FloatVector.broadcast(SPECIES, r);
            FloatVector h0 = FloatVector.fromArray(SPECIES, x, from).sub(p).fma(scale, product);
            FloatVector h1 =
                    FloatVector.fromArray(SPECIES, x, from + LANES).sub(p).fma(scale, product);
            FloatVector h2 =
                    FloatVector.fromArray(SPECIES, x, from + third).sub(p).fma(scale, product);
            FloatVector h3 =
                    FloatVector.fromArray(SPECIES, x, from + last).sub(p).fma(scale, product);
            from = dyOffset + i * dyStride;
            FloatVector dy0 = FloatVector.fromArray(SPECIES, dy, from);
            FloatVector dy1 = FloatVector.fromArray(SPECIES, dy, from + LANES);
            FloatVector dy2 = FloatVector.fromArray(SPECIES, dy, from + third);
            FloatVector dy3 = FloatVector.fromArray(SPECIES, dy, from + last);
            FloatVector g0 = dy0.mul(gain0);
            FloatVector g1 = dy1.mul(gain1);
            FloatVector g2 = dy2.mul(gain2);
            FloatVector g3 = dy3.mul(gain3);
            float sum = LaneSum.sum(g2.fma(kept2, g0).add(g3.fma(kept3, g1))).lane(0);
            FloatVector even = g2.mul(kept2).fma(h2, h0.mul(g0));
            FloatVector odd = g3.mul(kept3).fma(h3, h1.mul(g1));
            float inner = LaneSum.sum(even.add(odd)).lane(0);
            dgain0 = h0.fma(dy0, dgain0);
            dgain1 = h1.fma(dy1, dgain1);
            dgain2 = h2.fma(dy2, dgain2);
            dgain3 = h3.fma(dy3, dgain3);
            dshift0 = dshift0.add(dy0);
            dshift1 = dshift1.add(dy1);
            dshift2 = dshift2.add(dy2);
            dshift3 = dshift3.add(dy3);
            FloatVector a = FloatVector.broadcast(SPECIES, layer ? -(sum / columns * r) : 0);
            FloatVector b = FloatVector.broadcast(SPECIES, -(inner / columns * r));
            int to = dxOffset + i * dxStride;
            h0.fma(b, g0.fma(scale, a)).intoArray(dx, to);
            h1.fma(b, g1.fma(scale, a)).intoArray(dx, to + LANES);
            h2.fma(b, g2.fma(scale, a)).intoArray(dx, to + third);
            h3.fma(b, g3.fma(scale, a)).intoArray(dx, to + last);
        }
        dgain0.intoArray(shares, dgainAt);
        dgain1.intoArray(shares, dgainAt + LANES);
        dgain2.intoArray(shares, dgainAt + third);
        dgain3.intoArray(shares, dgainAt + last);
        dshift0.intoArray(shares, dshiftAt);
        dshift1.intoArray(shares, dshiftAt + LANES);
        dshift2.intoArray(shares, dshiftAt + third);
        dshift3.intoArray(shares, dshiftAt + last);
    }

    private void addShares(@Nullable Matrix gradient, int chunks, boolean shift) {
        for (int chunk = 0; chunk < chunks && gradient != null; chunk++) {
            add(gradient.array(), gradient.offset(), shares, chunk * shareLength() + (shift ? columns : 0), columns);
        }
    }

    private static void add(float[] sums, int offset, float[] terms, int from, int count) {
        for (int j = 0; j < count; j++) {
            sums[offset + j] += terms[from + j];
        }
    }

    private void factorsInto(int at, int i) {
        float[] row = statistics.array();
        int from = statistics.start(i);
        float reciprocal = row[from];
        float pivot = layer ? row[from + 1] : 0;
        float product = layer ? -(row[from + 2] * reciprocal) : 0;
        shares[at] = pivot;
        shares[at + 1] = reciprocal;
        shares[at + 2] = product;
        sumInto(at, i, pivot, reciprocal, product);
        shares[at + 3] = layer ? -(shares[at + 3] / columns * reciprocal) : 0;
        shares[at + 4] = -(shares[at + 4] / columns * reciprocal);
    }

    /** Writes sum_j g_j to {@code shares[at + 3]} and sum_j g_j h_j to {@code shares[at + 4]}. */
    private void sumInto(int at, int i, float pivot, float reciprocal, float product) {
        float[] dy = this.dy.array();
        float[] x = this.x.array();
        float[] gain = this.gain.array();
        int gainOffset = this.gain.offset();
        int columns = this.columns;
        int dyFrom = this.dy.start(i);
        int from = this.x.start(i);
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
        shares[at + 3] = LaneSum.sum(sum).lane(0);
        shares[at + 4] = LaneSum.sum(inner).lane(0);
    }

    /** dx = h b + (g r + a), where a and b are the last two factors of the row. */
    private void apply(int i, int at) {
        float[] dx = this.dx.array();
        float[] dy = this.dy.array();
        float[] x = this.x.array();
        float[] gain = this.gain.array();
        float[] shares = this.shares;
        int gainOffset = this.gain.offset();
        int to = this.dx.start(i);
        int dyFrom = this.dy.start(i);
        int from = this.x.start(i);
        FloatVector p = FloatVector.broadcast(SPECIES, shares[at]);
        FloatVector r = FloatVector.broadcast(SPECIES, shares[at + 1]);
        FloatVector q = FloatVector.broadcast(SPECIES, shares[at + 2]);
        FloatVector a = FloatVector.broadcast(SPECIES, shares[at + 3]);
        FloatVector b = FloatVector.broadcast(SPECIES, shares[at + 4]);
        // The last vector overlaps the one before it. It is read first, because dx may be dy or x.
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

    /** Does what {@link #apply} does, and adds dy h and dy of the row to the sums for dgain and dshift. */
    private void applyAndAdd(int i, int dgainAt, int dshiftAt, int at) {
        float[] dx = this.dx.array();
        float[] dy = this.dy.array();
        float[] x = this.x.array();
        float[] gain = this.gain.array();
        float[] shares = this.shares;
        int gainOffset = this.gain.offset();
        int to = this.dx.start(i);
        int dyFrom = this.dy.start(i);
        int from = this.x.start(i);
        FloatVector p = FloatVector.broadcast(SPECIES, shares[at]);
        FloatVector r = FloatVector.broadcast(SPECIES, shares[at + 1]);
        FloatVector q = FloatVector.broadcast(SPECIES, shares[at + 2]);
        FloatVector a = FloatVector.broadcast(SPECIES, shares[at + 3]);
        FloatVector b = FloatVector.broadcast(SPECIES, shares[at + 4]);
        // The last vector overlaps the one before it. It is read first, because dx may be dy or x, and the sums change.
        int last = columns - LANES;
        FloatVector lastU = FloatVector.fromArray(SPECIES, dy, dyFrom + last);
        FloatVector lastH =
                FloatVector.fromArray(SPECIES, x, from + last).sub(p).fma(r, q);
        FloatVector lastDgain = lastH.fma(lastU, FloatVector.fromArray(SPECIES, shares, dgainAt + last));
        FloatVector lastDshift = lastU.add(FloatVector.fromArray(SPECIES, shares, dshiftAt + last));
        for (int j = 0; j < last; j += LANES) {
            FloatVector u = FloatVector.fromArray(SPECIES, dy, dyFrom + j);
            FloatVector h = FloatVector.fromArray(SPECIES, x, from + j).sub(p).fma(r, q);
            h.fma(u, FloatVector.fromArray(SPECIES, shares, dgainAt + j)).intoArray(shares, dgainAt + j);
            u.add(FloatVector.fromArray(SPECIES, shares, dshiftAt + j)).intoArray(shares, dshiftAt + j);
            h.fma(b, u.mul(FloatVector.fromArray(SPECIES, gain, gainOffset + j)).fma(r, a))
                    .intoArray(dx, to + j);
        }
        lastDgain.intoArray(shares, dgainAt + last);
        lastDshift.intoArray(shares, dshiftAt + last);
        lastH.fma(
                        b,
                        lastU.mul(FloatVector.fromArray(SPECIES, gain, gainOffset + last))
                                .fma(r, a))
                .intoArray(dx, to + last);
    }
}
