package org.lemmata.kernel.attention;

import static jdk.incubator.vector.VectorOperators.F2D;
import static org.lemmata.kernel.attention.TileAttention.LANES;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;

/**
 * The products of {@link ShortHeads}: fused multiply-adds in ascending order, those of the blocks of longer sequences.
 *
 * <p>Where heads lie in the lanes, a number of each pair (i, j) of tokens is at {@code (i * length + j) * LANES}, and
 * element d of row i at {@code (i * columns + d) * LANES}.
 */
final class ShortProducts {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private static final VectorSpecies<Float> HALF =
            VectorSpecies.of(float.class, VectorShape.forBitSize(SPECIES.vectorBitSize() / 2));

    private static final VectorSpecies<Double> DOUBLES = VectorSpecies.of(double.class, SPECIES.vectorShape());

    private ShortProducts() {}

    /**
     * p_ij += &lt;x_i, c y_j&gt;, with c a number of each head. Three rows each at a time; where fewer are left, the last
     * one is multiplied more than once.
     */
    static void multiply(float[] p, float[] x, float[] y, float[] c, int length, int columns) {
        for (int i = 0; i < length; i += 3) {
            for (int j = 0; j < length; j += 3) {
                multiply(p, i, j, length - 1, x, y, c, columns * LANES);
            }
        }
    }

    private static void multiply(float[] p, int i0, int j0, int last, float[] x, float[] y, float[] c, int width) {
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
        for (int d = 0; d < width; d += LANES) {
            FloatVector x0 = FloatVector.fromArray(SPECIES, x, i0 * width + d);
            FloatVector x1 = FloatVector.fromArray(SPECIES, x, i1 * width + d);
            FloatVector x2 = FloatVector.fromArray(SPECIES, x, i2 * width + d);
            FloatVector cy = factor.mul(FloatVector.fromArray(SPECIES, y, j0 * width + d));
            s00 = x0.fma(cy, s00);
            s10 = x1.fma(cy, s10);
            s20 = x2.fma(cy, s20);
            cy = factor.mul(FloatVector.fromArray(SPECIES, y, j1 * width + d));
            s01 = x0.fma(cy, s01);
            s11 = x1.fma(cy, s11);
            s21 = x2.fma(cy, s21);
            cy = factor.mul(FloatVector.fromArray(SPECIES, y, j2 * width + d));
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
    static void sumAll(float[] y, float[] p, int first, int step, int length, float[] x, int columns) {
        int width = columns * LANES;
        // An even number of columns.
        for (int d = 0; d < width; d += 2 * LANES) {
            FloatVector s0 = FloatVector.zero(SPECIES);
            FloatVector s1 = s0;
            for (int j = 0; j < length; j++) {
                FloatVector weight = FloatVector.fromArray(SPECIES, p, first + j * step);
                s0 = weight.fma(FloatVector.fromArray(SPECIES, x, j * width + d), s0);
                s1 = weight.fma(FloatVector.fromArray(SPECIES, x, j * width + d + LANES), s1);
            }
            s0.intoArray(y, d);
            s1.intoArray(y, d + LANES);
        }
    }

    /** sums += &lt;x, y&gt; of all heads, in binary64. */
    static void addProducts(double[] sums, float[] x, int xAt, float[] y, int columns) {
        DoubleVector low = DoubleVector.fromArray(DOUBLES, sums, 0);
        DoubleVector high = DoubleVector.fromArray(DOUBLES, sums, LANES / 2);
        for (int d = 0; d < columns * LANES; d += LANES) {
            Vector<Double> x0 = FloatVector.fromArray(HALF, x, xAt + d).convertShape(F2D, DOUBLES, 0);
            Vector<Double> y0 = FloatVector.fromArray(HALF, y, d).convertShape(F2D, DOUBLES, 0);
            Vector<Double> x1 = FloatVector.fromArray(HALF, x, xAt + d + LANES / 2).convertShape(F2D, DOUBLES, 0);
            Vector<Double> y1 = FloatVector.fromArray(HALF, y, d + LANES / 2).convertShape(F2D, DOUBLES, 0);
            low = ((DoubleVector) x0).fma(y0, low);
            high = ((DoubleVector) x1).fma(y1, high);
        }
        low.intoArray(sums, 0);
        high.intoArray(sums, LANES / 2);
    }

    /**
     * y_i = sum_j p_ij x_j of one head, columns side by side, divided by the numbers of {@code by}, after 0 was added as
     * {@link AttentionForward} does, or multiplied with the first of them.
     */
    static void sum(
            float[] y,
            int yAt,
            float[] p,
            int head,
            boolean transposed,
            float[] x,
            int xAt,
            int stride,
            int columns,
            int length,
            boolean divide,
            float[] by) {
        int iStep = transposed ? LANES : length * LANES;
        int jStep = transposed ? length * LANES : LANES;
        int last = length - 1;
        for (int i = 0; i < length; i += 3) {
            // Three rows and two vectors of them at a time; where fewer are left, the last one is summed more than once.
            int i1 = Math.min(i + 1, last);
            int i2 = Math.min(i + 2, last);
            for (int d = 0; d < columns; d += 2 * LANES) {
                int e = Math.min(d + LANES, columns - LANES);
                FloatVector s0 = FloatVector.zero(SPECIES);
                FloatVector t0 = s0;
                FloatVector s1 = s0;
                FloatVector t1 = s0;
                FloatVector s2 = s0;
                FloatVector t2 = s0;
                for (int j = 0; j < length; j++) {
                    int at = j * jStep + head;
                    FloatVector xs = FloatVector.fromArray(SPECIES, x, xAt + j * stride + d);
                    FloatVector xt = FloatVector.fromArray(SPECIES, x, xAt + j * stride + e);
                    FloatVector weight = FloatVector.broadcast(SPECIES, p[i * iStep + at]);
                    s0 = weight.fma(xs, s0);
                    t0 = weight.fma(xt, t0);
                    weight = FloatVector.broadcast(SPECIES, p[i1 * iStep + at]);
                    s1 = weight.fma(xs, s1);
                    t1 = weight.fma(xt, t1);
                    weight = FloatVector.broadcast(SPECIES, p[i2 * iStep + at]);
                    s2 = weight.fma(xs, s2);
                    t2 = weight.fma(xt, t2);
                }
                if (divide) {
                    FloatVector total = FloatVector.broadcast(SPECIES, by[i * LANES + head]);
                    s0 = s0.add(0f).div(total);
                    t0 = t0.add(0f).div(total);
                    total = FloatVector.broadcast(SPECIES, by[i1 * LANES + head]);
                    s1 = s1.add(0f).div(total);
                    t1 = t1.add(0f).div(total);
                    total = FloatVector.broadcast(SPECIES, by[i2 * LANES + head]);
                    s2 = s2.add(0f).div(total);
                    t2 = t2.add(0f).div(total);
                } else {
                    FloatVector factor = FloatVector.broadcast(SPECIES, by[0]);
                    s0 = s0.mul(factor);
                    t0 = t0.mul(factor);
                    s1 = s1.mul(factor);
                    t1 = t1.mul(factor);
                    s2 = s2.mul(factor);
                    t2 = t2.mul(factor);
                }
                s0.intoArray(y, yAt + i * stride + d);
                t0.intoArray(y, yAt + i * stride + e);
                s1.intoArray(y, yAt + i1 * stride + d);
                t1.intoArray(y, yAt + i1 * stride + e);
                s2.intoArray(y, yAt + i2 * stride + d);
                t2.intoArray(y, yAt + i2 * stride + e);
            }
        }
    }
}
