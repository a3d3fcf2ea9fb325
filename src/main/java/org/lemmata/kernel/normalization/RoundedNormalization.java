package org.lemmata.kernel.normalization;

import java.math.BigDecimal;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.quantization.Quantization;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.number.TensorRounding;
import org.lemmata.random.RandomStream;

/**
 * Normalization with each site of a {@link NormalizationRounding} rounded to its own number format: S for sums, T for
 * statistics, O for outputs.
 *
 * <p>For a row x of n elements, with all sums in ascending order from +0 and no fused operations:
 *
 * <ul>
 *   <li>t_j = S(t_(j-1) + x_j), and the mean m = T(t_n / n); in root-mean-square normalization there is none;
 *   <li>d_j = S(x_j - m); in root-mean-square normalization d_j = x_j;
 *   <li>s_j = S(s_(j-1) + S(d_j d_j)), v = T(s_n / n + epsilon) and r = T(1 / sqrt(v));
 *   <li>h_j = S(d_j r), then S(h_j gain_j) if there is a gain, then S(. + shift_j) if there is a shift; y_j is O of the
 *       last of these.
 * </ul>
 *
 * <p>Each S, T and O rounds the exact value of its argument once, and the result is stored in binary32. If neither S
 * nor T is set, y is O of the row of {@link VectorNormalization}.
 *
 * <p>In formats with a small exponent range, squares underflow. In binary16, the square of d_j is 0 if |d_j| is at most
 * 2^-12.5, and subnormal, with fewer bits, if |d_j| is below 2^-7. If all squares of a row are 0, v is T(epsilon).
 * Without epsilon, r is then T(infinity). If this is infinite, h_j is NaN where d_j is 0 and infinite elsewhere. If T
 * saturates, r is the largest number of its format, and h_j may be finite. Without epsilon, normalization does not
 * depend on the scale of a row, so multiplying the row by a power of two first avoids the underflow.
 *
 * <p>The backward pass is the gradient formula of {@link Normalization#backward} with the rounded statistics, by
 * {@link VectorNormalization}. dx is rounded once by O. dgain and dshift are sums over rows and stay in binary32.
 *
 * <p>In stochastic rounding, element j of row i uses random word i roundUp(n, 32) + j of a part of the stream: 0 for t,
 * 1 for d, 2 for squares, 3 for s, 4 for h, 5 after the gain, 6 after the shift, 8 for outputs, 9 for dx. T uses words
 * 32 i for m, 32 i + 1 for v and 32 i + 2 for r of part 7.
 *
 * <p>Source of the formula: Hayakawa and Sato (2024), equations 38 and 39.
 */
public final class RoundedNormalization implements Normalization {

    private static final int OUTPUTS = 8;
    private static final int GRADIENTS = 9;

    private final NormalizationRounding rounding;
    private final RandomStream stream;
    private final Normalization unrounded;
    private final Quantization quantization;

    /**
     * Creates a normalization from two given operations.
     *
     * @param stream the random words of stochastic rounding; ignored by other modes
     * @param unrounded computes rows without rounded steps, and the backward pass; may be scalar
     * @param quantization rounds outputs; may be scalar
     */
    public RoundedNormalization(
            NormalizationRounding rounding, RandomStream stream, Normalization unrounded, Quantization quantization) {
        this.rounding = rounding;
        this.stream = stream;
        this.unrounded = unrounded;
        this.quantization = quantization;
    }

    /** The rounded steps of one row of {@link RoundedNormalization}, and their random words. */
    private static final class RoundedRow {

        // The steps. Each constant is also the number of the part of the stream from which the step takes its random
        // words.
        private static final int SUM = 0;
        private static final int DIFFERENCE = 1;
        private static final int SQUARE = 2;
        private static final int SUM_OF_SQUARES = 3;
        private static final int SCALED = 4;
        private static final int GAINED = 5;
        private static final int SHIFTED = 6;
        private static final int STATISTICS = 7;

        private static final int ELEMENT_STEPS = 7;

        private final Rounding sums;
        private final Rounding statistics;
        private final RandomStream stream;
        private final int columns;

        /** The number of random words per row and step, rounded up to whole tiles. */
        private final int width;

        private final int[] words;
        private final int[] statisticsWords = new int[RandomStream.TILE];

        private float mean;
        private float reciprocal;

        /** Null means rounding to binary32, to nearest even. */
        RoundedRow(@Nullable Rounding sums, @Nullable Rounding statistics, RandomStream stream, int columns) {
            Rounding binary32 = Rounding.toNearestEven(FloatFormat.BINARY32);
            this.sums = sums == null ? binary32 : sums;
            this.statistics = statistics == null ? binary32 : statistics;
            this.stream = stream;
            this.columns = columns;
            width = Math.ceilDiv(columns, RandomStream.TILE) * RandomStream.TILE;
            words = new int[this.sums.isStochastic() ? ELEMENT_STEPS * width : 0];
        }

        private void draw(int i) {
            int tiles = width / RandomStream.TILE;
            for (int part = 0; part < ELEMENT_STEPS && sums.isStochastic(); part++) {
                for (int tile = 0; tile < tiles; tile++) {
                    stream.part(part).tileInto(words, part * width + tile * RandomStream.TILE, i * tiles + tile);
                }
            }
            if (statistics.isStochastic()) {
                stream.part(STATISTICS).tileInto(statisticsWords, 0, i);
            }
        }

        private int word(int step, int j) {
            return sums.isStochastic() ? words[step * width + j] : 0;
        }

        private float add(float a, float b, int step, int j) {
            return sums.roundSum(a, b, word(step, j));
        }

        private float multiply(float a, float b, int step, int j) {
            return (float) sums.round((double) a * b, word(step, j));
        }

        private float centered(float x, boolean layer, int j) {
            return layer ? add(x, -mean, DIFFERENCE, j) : x;
        }

        /** Computes the mean and reciprocal root of row i, which begins at {@code x[from]}. */
        void measure(int i, float[] x, int from, boolean layer, float epsilon) {
            draw(i);
            mean = 0;
            if (layer) {
                float sum = 0;
                for (int j = 0; j < columns; j++) {
                    sum = add(sum, x[from + j], SUM, j);
                }
                mean = quotientPlus(sum, columns, 0, statistics, statisticsWords[0]);
            }
            float sumOfSquares = 0;
            for (int j = 0; j < columns; j++) {
                float difference = centered(x[from + j], layer, j);
                float square = multiply(difference, difference, SQUARE, j);
                sumOfSquares = add(sumOfSquares, square, SUM_OF_SQUARES, j);
            }
            float meanSquare = quotientPlus(sumOfSquares, columns, epsilon, statistics, statisticsWords[1]);
            reciprocal = reciprocalRoot(meanSquare, statistics, statisticsWords[2]);
        }

        /** Normalizes element j of the row that {@link #measure} processed last. */
        float normalized(float x, boolean layer, @Nullable Matrix gain, @Nullable Matrix shift, int j) {
            float element = multiply(centered(x, layer, j), reciprocal, SCALED, j);
            element = gain == null ? element : multiply(element, gain.get(0, j), GAINED, j);
            return shift == null ? element : add(element, shift.get(0, j), SHIFTED, j);
        }

        /** Saves the statistics. The second part of the mean, its rounding error, is 0. */
        void save(float[] saved, int at, boolean layer) {
            saved[at] = reciprocal;
            if (layer) {
                saved[at + 1] = mean;
                saved[at + 2] = 0;
            }
        }
    }

    @Override
    public void forward(
            Matrix y, @Nullable Matrix statistics, Matrix x, GainAndShift weights, Kind kind, float epsilon) {
        if (rounding.roundsSteps()) {
            Normalization.checkForward(y, statistics, x, weights, kind, epsilon);
            int columns = x.columns();
            RoundedRow row = new RoundedRow(rounding.sums(), rounding.statistics(), stream, columns);
            boolean layer = kind == Kind.LAYER;
            for (int i = 0; i < x.rows() && columns > 0; i++) {
                row.measure(i, x.array(), x.start(i), layer, epsilon);
                if (statistics != null) {
                    row.save(statistics.array(), statistics.start(i), layer);
                }
                for (int j = 0; j < columns; j++) {
                    y.array()[y.start(i) + j] = row.normalized(x.get(i, j), layer, weights.gain(), weights.shift(), j);
                }
            }
        } else {
            unrounded.forward(y, statistics, x, weights, kind, epsilon);
        }
        round(y, OUTPUTS);
    }

    @Override
    public void backward(
            Matrix dx, GainAndShift dweights, Matrix dy, Matrix statistics, Matrix x, GainAndShift weights, Kind kind) {
        unrounded.backward(dx, dweights, dy, statistics, x, weights, kind);
        round(dx, GRADIENTS);
    }

    private void round(Matrix y, int part) {
        TensorRounding outputs = rounding.outputs();
        if (outputs != null) {
            quantization.round(y, y, outputs, stream.part(part));
        }
    }

    // Exact quotients and reciprocal roots, rounded once. A binary64 approximation is compared with the exact number
    // and, if it is inexact, rounded to odd. Rounding it again then gives the exact number rounded once.

    /** a / n + b. */
    static float quotientPlus(float a, int n, float b, Rounding rounding, int word) {
        double near = (double) a / n + b;
        if (near == 0 || !Double.isFinite(near)) {
            return (float) rounding.round(near, word);
        }
        BigDecimal divisor = new BigDecimal(n);
        BigDecimal dividend = new BigDecimal(a).add(divisor.multiply(new BigDecimal(b)));
        return (float) rounding.round(toOdd(near, y -> dividend.compareTo(y.multiply(divisor))), word);
    }

    /** 1 / sqrt(a). */
    static float reciprocalRoot(float a, Rounding rounding, int word) {
        double near = 1 / Math.sqrt(a);
        if (near == 0 || !Double.isFinite(near)) {
            return (float) rounding.round(near, word);
        }
        BigDecimal radicand = new BigDecimal(a);
        return (float) rounding.round(
                toOdd(near, y -> BigDecimal.ONE.compareTo(y.multiply(y).multiply(radicand))), word);
    }

    /** @param exact compares the exact number with its argument */
    private static double toOdd(double near, ToIntFunction<BigDecimal> exact) {
        double below = near;
        while (exact.applyAsInt(new BigDecimal(below)) < 0) {
            below = Math.nextDown(below);
        }
        while (exact.applyAsInt(new BigDecimal(Math.nextUp(below))) >= 0) {
            below = Math.nextUp(below);
        }
        boolean odd = (Double.doubleToRawLongBits(below) & 1) == 1;
        return odd || exact.applyAsInt(new BigDecimal(below)) == 0 ? below : Math.nextUp(below);
    }
}
