package org.lemmata.kernel.attention;

import static jdk.incubator.vector.VectorOperators.F2D;
import static org.lemmata.kernel.attention.TileAttention.LANES;

import java.util.Arrays;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;

/**
 * The products of {@link ShortHeads}. In arrays that have a head per lane, the vector of the pair (i, j) of tokens
 * begins at {@code (i * length + j) * LANES}.
 */
final class ShortProducts {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private static final VectorSpecies<Float> HALF =
            VectorSpecies.of(float.class, VectorShape.forBitSize(SPECIES.vectorBitSize() / 2));

    private static final VectorSpecies<Double> DOUBLES = VectorSpecies.of(double.class, SPECIES.vectorShape());

    // Two shuffles that interleave the lower halves, and the upper halves, of two vectors.
    private static final VectorShuffle<Float> LOW = VectorShuffle.fromOp(SPECIES, lane -> lane % 2 * LANES + lane / 2);
    private static final VectorShuffle<Float> HIGH =
            VectorShuffle.fromOp(SPECIES, lane -> lane % 2 * LANES + lane / 2 + LANES / 2);

    /** The number of elements of a square, which has {@code LANES} vectors. */
    private static final int SQUARE = LANES * LANES;

    /** The number of pairs of three rows of x and three rows of y. */
    private static final int TILE = 9;

    private final float[] squares = new float[TILE * SQUARE];
    private final float[] sums = new float[LANES];

    private int length;
    private int heads;
    private int headWidth;
    private int tokenWidth;
    private int rowStride;

    // Offsets of the first head of row 0, and of token 0.
    private int rowAt;
    private int tokenAt;

    /** Sets the sequence and {@code newHeads} heads, beginning with the head of the unit. */
    void set(AttentionUnit unit, int newHeads) {
        length = unit.length;
        heads = newHeads;
        headWidth = unit.shape().headWidth();
        tokenWidth = unit.shape().identityWidth();
        rowStride = unit.shape().width();
        rowAt = unit.at(0);
        tokenAt = unit.tokenAt(0);
    }

    /**
     * p_ij = &lt;x_i, y_j&gt; for each head. Three rows of x and three of y are multiplied at a time, lane by lane; the
     * lanes are then summed for all heads at once. If fewer than three rows are left, the last row is multiplied
     * repeatedly.
     */
    void multiplyHeads(float[] p, float[] x, float[] y) {
        for (int i = 0; i < length; i += 3) {
            for (int j = 0; j < length; j += 3) {
                if (heads < LANES) {
                    Arrays.fill(squares, 0);
                }
                for (int head = 0; head < heads; head++) {
                    multiplyHead(x, i, y, j, head);
                }
                for (int pair = 0; pair < TILE; pair++) {
                    int row = i + pair / 3;
                    int column = j + pair % 3;
                    if (row < length && column < length) {
                        sumLanes(pair * SQUARE, p, (row * length + column) * LANES);
                    }
                }
            }
        }
    }

    private void multiplyHead(float[] x, int i, float[] y, int j, int head) {
        int last = length - 1;
        int at = rowAt + head * headWidth;
        int x0At = at + i * rowStride;
        int x1At = at + Math.min(i + 1, last) * rowStride;
        int x2At = at + Math.min(i + 2, last) * rowStride;
        int y0At = at + j * rowStride;
        int y1At = at + Math.min(j + 1, last) * rowStride;
        int y2At = at + Math.min(j + 2, last) * rowStride;
        FloatVector s00 = FloatVector.zero(SPECIES);
        FloatVector s01 = s00;
        FloatVector s02 = s00;
        FloatVector s10 = s00;
        FloatVector s11 = s00;
        FloatVector s12 = s00;
        FloatVector s20 = s00;
        FloatVector s21 = s00;
        FloatVector s22 = s00;
        for (int d = 0; d < headWidth; d += LANES) {
            FloatVector x0 = FloatVector.fromArray(SPECIES, x, x0At + d);
            FloatVector x1 = FloatVector.fromArray(SPECIES, x, x1At + d);
            FloatVector x2 = FloatVector.fromArray(SPECIES, x, x2At + d);
            FloatVector row = FloatVector.fromArray(SPECIES, y, y0At + d);
            s00 = x0.fma(row, s00);
            s10 = x1.fma(row, s10);
            s20 = x2.fma(row, s20);
            row = FloatVector.fromArray(SPECIES, y, y1At + d);
            s01 = x0.fma(row, s01);
            s11 = x1.fma(row, s11);
            s21 = x2.fma(row, s21);
            row = FloatVector.fromArray(SPECIES, y, y2At + d);
            s02 = x0.fma(row, s02);
            s12 = x1.fma(row, s12);
            s22 = x2.fma(row, s22);
        }
        int to = head * LANES;
        s00.intoArray(squares, to);
        s01.intoArray(squares, to + SQUARE);
        s02.intoArray(squares, to + 2 * SQUARE);
        s10.intoArray(squares, to + 3 * SQUARE);
        s11.intoArray(squares, to + 4 * SQUARE);
        s12.intoArray(squares, to + 5 * SQUARE);
        s20.intoArray(squares, to + 6 * SQUARE);
        s21.intoArray(squares, to + 7 * SQUARE);
        s22.intoArray(squares, to + 8 * SQUARE);
    }

    /** Sums the lanes of each vector of a square, which is overwritten. Adds halves of two vectors at a time. */
    private void sumLanes(int at, float[] to, int toAt) {
        for (int half = LANES / 2; half > 0; half /= 2) {
            for (int row = 0; row < half; row++) {
                FloatVector first = FloatVector.fromArray(SPECIES, squares, at + row * LANES);
                FloatVector second = FloatVector.fromArray(SPECIES, squares, at + (row + half) * LANES);
                first.rearrange(LOW, second).add(first.rearrange(HIGH, second)).intoArray(squares, at + row * LANES);
            }
        }
        FloatVector.fromArray(SPECIES, squares, at).intoArray(to, toAt);
    }

    /** g_ij = &lt;x_i, y_j&gt; for all pairs of tokens. */
    void multiplyTokens(float[] g, float[] x, float[] y) {
        int pairs = length * length;
        for (int first = 0; first < pairs; first += LANES) {
            Arrays.fill(squares, 0, SQUARE, 0);
            for (int pair = first; pair < Math.min(first + LANES, pairs); pair++) {
                int xAt = tokenAt + pair / length * tokenWidth;
                int yAt = tokenAt + pair % length * tokenWidth;
                FloatVector sum = FloatVector.zero(SPECIES);
                for (int d = 0; d < tokenWidth; d += LANES) {
                    sum = FloatVector.fromArray(SPECIES, x, xAt + d)
                            .fma(FloatVector.fromArray(SPECIES, y, yAt + d), sum);
                }
                sum.intoArray(squares, (pair - first) * LANES);
            }
            sumLanes(0, sums, 0);
            System.arraycopy(sums, 0, g, first, Math.min(LANES, pairs - first));
        }
    }

    /** g_ij += sum_h c_h p_ij. */
    void addHeads(float[] g, float[] p, float[] c) {
        FloatVector factor = FloatVector.fromArray(SPECIES, c, 0);
        // If a product of tokens overflows, p is NaN beyond the last head.
        VectorMask<Float> beyond = SPECIES.indexInRange(0, heads).not();
        int pairs = length * length;
        for (int first = 0; first < pairs; first += LANES) {
            int count = Math.min(LANES, pairs - first);
            Arrays.fill(squares, 0, SQUARE, 0);
            for (int pair = 0; pair < count; pair++) {
                FloatVector.fromArray(SPECIES, p, (first + pair) * LANES)
                        .mul(factor)
                        .blend(0, beyond)
                        .intoArray(squares, pair * LANES);
            }
            sumLanes(0, sums, 0);
            for (int pair = 0; pair < count; pair++) {
                g[first + pair] += sums[pair];
            }
        }
    }

    /** c_h = sum_ij p_ij g_ij, in binary64. */
    void sumPairs(double[] c, float[] p, float[] g) {
        int half = HALF.length();
        DoubleVector low = DoubleVector.zero(DOUBLES);
        DoubleVector high = low;
        for (int pair = 0; pair < length * length; pair++) {
            DoubleVector factor = DoubleVector.broadcast(DOUBLES, g[pair]);
            low = doubles(p, pair * LANES).fma(factor, low);
            high = doubles(p, pair * LANES + half).fma(factor, high);
        }
        low.intoArray(c, 0);
        high.intoArray(c, half);
    }

    private static DoubleVector doubles(float[] x, int at) {
        return (DoubleVector) FloatVector.fromArray(HALF, x, at).convertShape(F2D, DOUBLES, 0);
    }

    /** y += sum_h c_h p_h x for one token. Heads are added in the same order as in blocks. p_h is 1 or NaN. */
    void addToken(float[] y, float[] p, float[] c, float[] x) {
        for (int at = tokenAt; at < tokenAt + tokenWidth; at += LANES) {
            FloatVector token = FloatVector.fromArray(SPECIES, x, at);
            FloatVector sum = FloatVector.fromArray(SPECIES, y, at);
            for (int head = 0; head < heads; head++) {
                sum = sum.add(token.mul(c[head] * p[head]));
            }
            sum.intoArray(y, at);
        }
    }

    /** y_i += sum_j g_ij x_j for all tokens i and j. */
    void addTokens(float[] y, float[] g, float[] x) {
        for (int i = 0; i < length; i++) {
            int yAt = tokenAt + i * tokenWidth;
            for (int d = 0; d < tokenWidth; d += LANES) {
                FloatVector sum = FloatVector.fromArray(SPECIES, y, yAt + d);
                for (int j = 0; j < length; j++) {
                    sum = FloatVector.broadcast(SPECIES, g[i * length + j])
                            .fma(FloatVector.fromArray(SPECIES, x, tokenAt + j * tokenWidth + d), sum);
                }
                sum.intoArray(y, yAt + d);
            }
        }
    }

    /**
     * y_i = factor sum_j p_ij x_j for each head, with one column per lane. Three rows of two vectors are computed at a
     * time. If fewer are left, the last row or vector is summed repeatedly.
     *
     * @param transposed whether p_ij is stored at the pair (j, i)
     */
    void sum(float[] y, float[] p, boolean transposed, float[] x, float factor) {
        int iStep = transposed ? LANES : length * LANES;
        int jStep = transposed ? length * LANES : LANES;
        int stride = rowStride;
        int columns = headWidth;
        for (int head = 0; head < heads; head++) {
            int at = rowAt + head * columns;
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
                    int xAt = at;
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
                    s0.mul(factor).intoArray(y, at + i * stride + d);
                    t0.mul(factor).intoArray(y, at + i * stride + e);
                    s1.mul(factor).intoArray(y, at + i1 * stride + d);
                    t1.mul(factor).intoArray(y, at + i1 * stride + e);
                    s2.mul(factor).intoArray(y, at + i2 * stride + d);
                    t2.mul(factor).intoArray(y, at + i2 * stride + e);
                }
            }
        }
    }
}
