package org.lemmata.measure.precision;

import java.util.Arrays;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.quantization.ScalarQuantization;
import org.lemmata.number.TensorRounding;
import org.lemmata.random.PhiloxGenerator;
import org.lemmata.random.RandomStream;

/**
 * Queries and keys of one head, every number drawn from the standard normal distribution: s_ij = q_i k_j / 8.
 *
 * <p>Row i of a seed is the same in every length, so a shorter head is the start of a longer one.
 *
 * <p>Scores are in binary64: the 64 products of binary32 numbers are exact, and the error of their sum is below 2^-46,
 * too small to matter for formats of at most 24 bits. No kernel is used, so that errors of kernels cannot affect the
 * results for formats.
 */
public final class NormalHead {

    /** Columns of queries and keys. */
    public static final int WIDTH = 64;

    /** 1 / sqrt(WIDTH), a power of two, so that scaling is exact. */
    public static final double SCALE = 0.125;

    /** The number of columns that one pass over the scores adds. */
    private static final int COLUMNS = 4;

    private static final int QUERIES = 0;
    private static final int KEYS = 1;

    private final int length;
    private final float[] queries;
    private final float[] keys;
    private final float[] transposedKeys;
    private final double[] scores;

    /**
     * The two largest scores of a row.
     *
     * @param argmax the key of the maximum, the first of equal ones
     * @param second the maximum of the others; -inf if there are none
     */
    record TopTwo(int argmax, double maximum, double second) {

        /** The two largest of the first {@code seen} scores. */
        static TopTwo of(double[] scores, int seen) {
            double maximum = Double.NEGATIVE_INFINITY;
            double second = Double.NEGATIVE_INFINITY;
            int argmax = 0;
            for (int j = 0; j < seen; j++) {
                double score = scores[j];
                if (score > second) {
                    if (score > maximum) {
                        second = maximum;
                        maximum = score;
                        argmax = j;
                    } else {
                        second = score;
                    }
                }
            }
            return new TopTwo(argmax, maximum, second);
        }
    }

    /** Both {@code length} x {@value #WIDTH}. */
    NormalHead(int length, float[] queries, float[] keys) {
        this.length = length;
        this.queries = queries;
        this.keys = keys;
        transposedKeys = new float[keys.length];
        for (int j = 0; j < length; j++) {
            for (int d = 0; d < WIDTH; d++) {
                transposedKeys[d * length + j] = keys[j * WIDTH + d];
            }
        }
        scores = new double[length];
    }

    /**
     * The head of a seed.
     *
     * @throws IllegalArgumentException if {@code length} is below 1
     */
    public static NormalHead of(long seed, int length) {
        if (length < 1) {
            throw new IllegalArgumentException("length: expected at least 1, got " + length);
        }
        return new NormalHead(length, normal(seed, QUERIES, length), normal(seed, KEYS, length));
    }

    private static float[] normal(long seed, int stream, int length) {
        float[] values = new float[length * WIDTH];
        for (int i = 0; i < length; i++) {
            var random = new PhiloxGenerator(seed, stream, i);
            for (int d = 0; d < WIDTH; d++) {
                values[i * WIDTH + d] = (float) random.nextGaussian();
            }
        }
        return values;
    }

    /** The number of rows of queries and of keys. */
    public int length() {
        return length;
    }

    float[] queries() {
        return queries;
    }

    float[] keys() {
        return keys;
    }

    /** The two largest of s_i0 ... s_i(seen - 1). */
    TopTwo topTwo(int row, int seen) {
        return TopTwo.of(scores(row, seen), seen);
    }

    /** s_i0 ... s_i(seen - 1), in an array that the next call overwrites. */
    double[] scores(int row, int seen) {
        Arrays.fill(scores, 0, seen, 0);
        for (int d = 0; d < WIDTH; d += COLUMNS) {
            add(row * WIDTH + d, d * length, seen);
        }
        return scores;
    }

    private void add(int query, int key, int seen) {
        double q0 = SCALE * queries[query];
        double q1 = SCALE * queries[query + 1];
        double q2 = SCALE * queries[query + 2];
        double q3 = SCALE * queries[query + 3];
        for (int j = 0; j < seen; j++) {
            scores[j] += (q0 * transposedKeys[key + j] + q1 * transposedKeys[key + length + j])
                    + (q2 * transposedKeys[key + 2 * length + j] + q3 * transposedKeys[key + 3 * length + j]);
        }
    }

    /**
     * This head with queries and keys rounded as matrices of {@link #WIDTH} columns, with the random words of seed 0.
     */
    public NormalHead rounded(TensorRounding rounding) {
        return new NormalHead(length, rounded(queries, rounding, QUERIES), rounded(keys, rounding, KEYS));
    }

    private float[] rounded(float[] values, TensorRounding rounding, int stream) {
        float[] result = new float[values.length];
        Matrix y = Matrix.of(result, length, WIDTH);
        Matrix x = Matrix.of(values, length, WIDTH);
        new ScalarQuantization().round(y, x, rounding, new RandomStream(0, stream, 0));
        return result;
    }
}
