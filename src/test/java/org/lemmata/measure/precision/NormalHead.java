package org.lemmata.measure.precision;

import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.quantization.ScalarQuantization;
import org.lemmata.number.TensorRounding;
import org.lemmata.random.PhiloxGenerator;
import org.lemmata.random.RandomStream;

/**
 * Queries and keys of one head, every number drawn from the standard normal distribution: s_ij = q_i k_j / 8.
 *
 * <p>Row i of a seed is the same in every length, so a shorter head is the start of a longer one.
 */
public final class NormalHead {

    /** Columns of queries and keys. */
    public static final int WIDTH = 64;

    /** 1 / sqrt(WIDTH), a power of two: scaling rounds nothing. */
    public static final double SCALE = 0.125;

    private static final int QUERIES = 0;
    private static final int KEYS = 1;

    private final int length;
    private final float[] queries;
    private final float[] keys;

    /** Both {@code length} x {@value #WIDTH}. */
    NormalHead(int length, float[] queries, float[] keys) {
        this.length = length;
        this.queries = queries;
        this.keys = keys;
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

    /** Rows of queries and of keys. */
    public int length() {
        return length;
    }

    float[] queries() {
        return queries;
    }

    float[] keys() {
        return keys;
    }

    /**
     * The same with queries and keys rounded as matrices of {@link #WIDTH} columns; random words are those of seed 0.
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
