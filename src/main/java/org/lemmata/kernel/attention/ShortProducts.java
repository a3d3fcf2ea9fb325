package org.lemmata.kernel.attention;

import static jdk.incubator.vector.VectorOperators.F2D;
import static org.lemmata.kernel.attention.TileAttention.COLUMNS;
import static org.lemmata.kernel.attention.TileAttention.LANES;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;

/**
 * The products of {@link ShortHeads}: fused multiply-adds in ascending order, those of the blocks of longer sequences.
 *
 * <p>Where heads lie in the lanes, a number of each pair (i, j) of tokens is at {@code (i * length + j) * LANES}, and
 * element d of row i at {@code row(i) + d * COLUMNS}: two rows share a panel.
 */
final class ShortProducts {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private static final VectorSpecies<Float> HALF =
            VectorSpecies.of(float.class, VectorShape.forBitSize(SPECIES.vectorBitSize() / 2));

    private static final VectorSpecies<Double> DOUBLES = VectorSpecies.of(double.class, SPECIES.vectorShape());

    private int length;
    private int heads;
    private int rowStride;

    /** Takes a sequence, so many heads of it, and how far apart rows of all heads lie. */
    void set(int newLength, int newHeads, int newRowStride) {
        length = newLength;
        heads = newHeads;
        rowStride = newRowStride;
    }

    static int row(int i, int columns) {
        return i / 2 * columns * COLUMNS + i % 2 * LANES;
    }

    /**
     * p_ij += &lt;x_i, c y_j&gt;, with c a number of each head. Three rows each at a time; where fewer are left, the
     * last one is multiplied more than once.
     */
    void multiply(float[] p, float[] x, float[] y, float[] c, int columns) {
        for (int i = 0; i < length; i += 3) {
            for (int j = 0; j < length; j += 3) {
                multiply(p, i, j, length - 1, x, y, c, columns);
            }
        }
    }

    private static void multiply(float[] p, int i0, int j0, int last, float[] x, float[] y, float[] c, int columns) {
        int i1 = Math.min(i0 + 1, last);
        int i2 = Math.min(i0 + 2, last);
        int j1 = Math.min(j0 + 1, last);
        int j2 = Math.min(j0 + 2, last);
        int row0 = i0 * (last + 1) * LANES;
        int row1 = i1 * (last + 1) * LANES;
        int row2 = i2 * (last + 1) * LANES;
        FloatVector factor = FloatVector.fromArray(SPECIES, c, 0);
        FloatVector s00 = FloatVector.fromArray(SPECIES, p, row0 + j0 * LANES);
        FloatVector s01 = FloatVector.fromArray(SPECIES, p, row0 + j1 * LANES);
        FloatVector s02 = FloatVector.fromArray(SPECIES, p, row0 + j2 * LANES);
        FloatVector s10 = FloatVector.fromArray(SPECIES, p, row1 + j0 * LANES);
        FloatVector s11 = FloatVector.fromArray(SPECIES, p, row1 + j1 * LANES);
        FloatVector s12 = FloatVector.fromArray(SPECIES, p, row1 + j2 * LANES);
        FloatVector s20 = FloatVector.fromArray(SPECIES, p, row2 + j0 * LANES);
        FloatVector s21 = FloatVector.fromArray(SPECIES, p, row2 + j1 * LANES);
        FloatVector s22 = FloatVector.fromArray(SPECIES, p, row2 + j2 * LANES);
        int x0At = row(i0, columns);
        int x1At = row(i1, columns);
        int x2At = row(i2, columns);
        int y0At = row(j0, columns);
        int y1At = row(j1, columns);
        int y2At = row(j2, columns);
        for (int d = 0; d < columns; d++) {
            FloatVector x0 = FloatVector.fromArray(SPECIES, x, x0At + d * COLUMNS);
            FloatVector x1 = FloatVector.fromArray(SPECIES, x, x1At + d * COLUMNS);
            FloatVector x2 = FloatVector.fromArray(SPECIES, x, x2At + d * COLUMNS);
            FloatVector cy = factor.mul(FloatVector.fromArray(SPECIES, y, y0At + d * COLUMNS));
            s00 = x0.fma(cy, s00);
            s10 = x1.fma(cy, s10);
            s20 = x2.fma(cy, s20);
            cy = factor.mul(FloatVector.fromArray(SPECIES, y, y1At + d * COLUMNS));
            s01 = x0.fma(cy, s01);
            s11 = x1.fma(cy, s11);
            s21 = x2.fma(cy, s21);
            cy = factor.mul(FloatVector.fromArray(SPECIES, y, y2At + d * COLUMNS));
            s02 = x0.fma(cy, s02);
            s12 = x1.fma(cy, s12);
            s22 = x2.fma(cy, s22);
        }
        s00.intoArray(p, row0 + j0 * LANES);
        s01.intoArray(p, row0 + j1 * LANES);
        s02.intoArray(p, row0 + j2 * LANES);
        s10.intoArray(p, row1 + j0 * LANES);
        s11.intoArray(p, row1 + j1 * LANES);
        s12.intoArray(p, row1 + j2 * LANES);
        s20.intoArray(p, row2 + j0 * LANES);
        s21.intoArray(p, row2 + j1 * LANES);
        s22.intoArray(p, row2 + j2 * LANES);
    }

    /** y = sum_j p_j x_j of all heads, the first number of a pair at {@code first}, the others {@code step} apart. */
    void sumAll(float[] y, float[] p, int first, int step, float[] x, int columns) {
        int end = first + length * step;
        // A multiple of four columns.
        for (int d = 0; d < columns; d += 4) {
            FloatVector s0 = FloatVector.zero(SPECIES);
            FloatVector s1 = s0;
            FloatVector s2 = s0;
            FloatVector s3 = s0;
            for (int pair = first, j = 0; pair < end; pair += step, j++) {
                FloatVector weight = FloatVector.fromArray(SPECIES, p, pair);
                int at = row(j, columns) + d * COLUMNS;
                s0 = weight.fma(FloatVector.fromArray(SPECIES, x, at), s0);
                s1 = weight.fma(FloatVector.fromArray(SPECIES, x, at + COLUMNS), s1);
                s2 = weight.fma(FloatVector.fromArray(SPECIES, x, at + 2 * COLUMNS), s2);
                s3 = weight.fma(FloatVector.fromArray(SPECIES, x, at + 3 * COLUMNS), s3);
            }
            s0.intoArray(y, d * LANES);
            s1.intoArray(y, (d + 1) * LANES);
            s2.intoArray(y, (d + 2) * LANES);
            s3.intoArray(y, (d + 3) * LANES);
        }
    }

    /**
     * a += &lt;x, y&gt; and b += &lt;x, z&gt; of all heads, in binary64, with row x of some and y and z as
     * {@link #sumAll} makes them; both at once, since each sum waits for itself.
     */
    static void addProducts(double[] a, double[] b, float[] x, int xAt, float[] y, float[] z, int columns) {
        int half = HALF.length();
        DoubleVector a0 = DoubleVector.fromArray(DOUBLES, a, 0);
        DoubleVector a1 = DoubleVector.fromArray(DOUBLES, a, half);
        DoubleVector b0 = DoubleVector.fromArray(DOUBLES, b, 0);
        DoubleVector b1 = DoubleVector.fromArray(DOUBLES, b, half);
        for (int d = 0; d < columns; d++) {
            DoubleVector x0 = doubles(x, xAt + d * COLUMNS);
            DoubleVector x1 = doubles(x, xAt + d * COLUMNS + half);
            a0 = x0.fma(doubles(y, d * LANES), a0);
            a1 = x1.fma(doubles(y, d * LANES + half), a1);
            b0 = x0.fma(doubles(z, d * LANES), b0);
            b1 = x1.fma(doubles(z, d * LANES + half), b1);
        }
        a0.intoArray(a, 0);
        a1.intoArray(a, half);
        b0.intoArray(b, 0);
        b1.intoArray(b, half);
    }

    private static DoubleVector doubles(float[] x, int at) {
        return (DoubleVector) FloatVector.fromArray(HALF, x, at).convertShape(F2D, DOUBLES, 0);
    }

    /**
     * y_i = factor sum_j p_ij x_j of each head, columns side by side; rows of y and x lie alike. Three rows and two
     * vectors of them at a time; where fewer are left, the last one is summed more than once.
     *
     * @param at where the first head begins
     * @param transposed whether p_ij is that of the pair (j, i)
     */
    void sum(float[] y, int at, float[] p, boolean transposed, float[] x, int columns, float factor) {
        int iStep = transposed ? LANES : length * LANES;
        int jStep = transposed ? length * LANES : LANES;
        int stride = rowStride;
        for (int head = 0; head < heads; head++) {
            for (int i = 0; i < length; i += 3) {
                int i1 = Math.min(i + 1, length - 1);
                int i2 = Math.min(i + 2, length - 1);
                for (int d = 0; d < columns; d += 2 * LANES) {
                    int e = Math.min(d + LANES, columns - LANES);
                    FloatVector s0 = FloatVector.zero(SPECIES);
                    FloatVector t0 = s0;
                    FloatVector s1 = s0;
                    FloatVector t1 = s0;
                    FloatVector s2 = s0;
                    FloatVector t2 = s0;
                    int xAt = at + head * columns;
                    int pAt = head;
                    for (int j = 0; j < length; j++) {
                        FloatVector xs = FloatVector.fromArray(SPECIES, x, xAt + d);
                        FloatVector xt = FloatVector.fromArray(SPECIES, x, xAt + e);
                        FloatVector weight = FloatVector.broadcast(SPECIES, p[pAt + i * iStep]);
                        s0 = weight.fma(xs, s0);
                        t0 = weight.fma(xt, t0);
                        weight = FloatVector.broadcast(SPECIES, p[pAt + i1 * iStep]);
                        s1 = weight.fma(xs, s1);
                        t1 = weight.fma(xt, t1);
                        weight = FloatVector.broadcast(SPECIES, p[pAt + i2 * iStep]);
                        s2 = weight.fma(xs, s2);
                        t2 = weight.fma(xt, t2);
                        xAt += stride;
                        pAt += jStep;
                    }
                    int yAt = at + head * columns;
                    s0.mul(factor).intoArray(y, yAt + i * stride + d);
                    t0.mul(factor).intoArray(y, yAt + i * stride + e);
                    s1.mul(factor).intoArray(y, yAt + i1 * stride + d);
                    t1.mul(factor).intoArray(y, yAt + i1 * stride + e);
                    s2.mul(factor).intoArray(y, yAt + i2 * stride + d);
                    t2.mul(factor).intoArray(y, yAt + i2 * stride + e);
                }
            }
        }
    }

    /** y_i = (y_i + 0) / total_i of each head, as {@link AttentionForward} does. */
    void divide(float[] y, int at, float[] totals, int columns) {
        for (int i = 0; i < length; i++) {
            for (int head = 0; head < heads; head++) {
                FloatVector total = FloatVector.broadcast(SPECIES, totals[i * LANES + head]);
                int start = at + i * rowStride + head * columns;
                for (int d = start; d < start + columns; d += LANES) {
                    FloatVector.fromArray(SPECIES, y, d).add(0f).div(total).intoArray(y, d);
                }
            }
        }
    }

    /** z_i += sum_h b_h (sum_j p_ij x_j + 0) / total_i, of rows that the heads share. */
    void addAverages(float[] z, int at, float[] p, float[] totals, float[] b, float[] x, int columns) {
        for (int i = 0; i < length; i++) {
            for (int d = 0; d < columns; d += 2 * LANES) {
                int e = Math.min(d + LANES, columns - LANES);
                int zAt = at + i * columns;
                FloatVector zs = FloatVector.fromArray(SPECIES, z, zAt + d);
                FloatVector zt = FloatVector.fromArray(SPECIES, z, zAt + e);
                for (int head = 0; head < heads; head++) {
                    FloatVector s = FloatVector.zero(SPECIES);
                    FloatVector t = s;
                    int xAt = at;
                    int pAt = i * length * LANES + head;
                    for (int j = 0; j < length; j++) {
                        FloatVector weight = FloatVector.broadcast(SPECIES, p[pAt]);
                        s = weight.fma(FloatVector.fromArray(SPECIES, x, xAt + d), s);
                        t = weight.fma(FloatVector.fromArray(SPECIES, x, xAt + e), t);
                        xAt += columns;
                        pAt += LANES;
                    }
                    FloatVector total = FloatVector.broadcast(SPECIES, totals[i * LANES + head]);
                    zs = zs.add(s.add(0f).div(total).mul(b[head]));
                    zt = zt.add(t.add(0f).div(total).mul(b[head]));
                }
                zs.intoArray(z, zAt + d);
                zt.intoArray(z, zAt + e);
            }
        }
    }

    /**
     * dx_i += sum_h a_h sum_j ds_ij x_j + (a_h sum_j ds_ji x_j + b_h sum_j p_ji dz_j), of rows that the heads share.
     *
     * @param dx of this sequence alone
     * @param at where its rows begin in x and dz
     */
    void addTokenGradients(
            float[] dx, float[] ds, float[] p, float[] a, float[] b, float[] x, float[] dz, int at, int columns) {
        int row = length * LANES;
        for (int i = 0; i < length; i++) {
            for (int d = 0; d < columns; d += 2 * LANES) {
                int e = Math.min(d + LANES, columns - LANES);
                FloatVector dxs = FloatVector.fromArray(SPECIES, dx, i * columns + d);
                FloatVector dxt = FloatVector.fromArray(SPECIES, dx, i * columns + e);
                for (int head = 0; head < heads; head++) {
                    FloatVector qs = FloatVector.zero(SPECIES);
                    FloatVector qt = qs;
                    FloatVector ks = qs;
                    FloatVector kt = qs;
                    FloatVector vs = qs;
                    FloatVector vt = qs;
                    int xAt = at;
                    for (int j = 0; j < length; j++) {
                        FloatVector xs = FloatVector.fromArray(SPECIES, x, xAt + d);
                        FloatVector xt = FloatVector.fromArray(SPECIES, x, xAt + e);
                        FloatVector weight = FloatVector.broadcast(SPECIES, ds[i * row + j * LANES + head]);
                        qs = weight.fma(xs, qs);
                        qt = weight.fma(xt, qt);
                        weight = FloatVector.broadcast(SPECIES, ds[j * row + i * LANES + head]);
                        ks = weight.fma(xs, ks);
                        kt = weight.fma(xt, kt);
                        weight = FloatVector.broadcast(SPECIES, p[j * row + i * LANES + head]);
                        vs = weight.fma(FloatVector.fromArray(SPECIES, dz, xAt + d), vs);
                        vt = weight.fma(FloatVector.fromArray(SPECIES, dz, xAt + e), vt);
                        xAt += columns;
                    }
                    dxs = dxs.add(qs.mul(a[head]).add(ks.mul(a[head]).add(vs.mul(b[head]))));
                    dxt = dxt.add(qt.mul(a[head]).add(kt.mul(a[head]).add(vt.mul(b[head]))));
                }
                dxs.intoArray(dx, i * columns + d);
                dxt.intoArray(dx, i * columns + e);
            }
        }
    }
}
