package org.lemmata.measure.precision;

import java.util.Arrays;

/**
 * The scores of a head, a row at a time, in binary64: the 64 products of binary32 numbers are exact, and their sum is
 * off by less than 2^-46, which no format of at most 24 bits sees.
 *
 * <p>No kernel is used, so that what a kernel does wrong does not go into the figures that are told of formats.
 */
final class ScoreRows {

    /** Columns that one pass over the scores adds. */
    private static final int COLUMNS = 4;

    private final NormalHead head;
    private final float[] transposedKeys;
    private final double[] scores;

    /**
     * The two largest scores of a row.
     *
     * @param argmax the key of the maximum, the first of equal ones
     * @param second the maximum of the others; -inf where there is none
     */
    record TopTwo(int argmax, double maximum, double second) {}

    ScoreRows(NormalHead head) {
        this.head = head;
        int length = head.length();
        transposedKeys = new float[length * NormalHead.WIDTH];
        for (int j = 0; j < length; j++) {
            for (int d = 0; d < NormalHead.WIDTH; d++) {
                transposedKeys[d * length + j] = head.keys()[j * NormalHead.WIDTH + d];
            }
        }
        scores = new double[length];
    }

    /** The two largest of s_i0 ... s_i(seen - 1). */
    TopTwo topTwo(int row, int seen) {
        return topTwo(scores(row, seen), seen);
    }

    static TopTwo topTwo(double[] scores, int seen) {
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

    /** s_i0 ... s_i(seen - 1), in an array that the next call overwrites. */
    double[] scores(int row, int seen) {
        Arrays.fill(scores, 0, seen, 0);
        for (int d = 0; d < NormalHead.WIDTH; d += COLUMNS) {
            add(row * NormalHead.WIDTH + d, d * head.length(), seen);
        }
        return scores;
    }

    private void add(int query, int key, int seen) {
        double q0 = NormalHead.SCALE * head.queries()[query];
        double q1 = NormalHead.SCALE * head.queries()[query + 1];
        double q2 = NormalHead.SCALE * head.queries()[query + 2];
        double q3 = NormalHead.SCALE * head.queries()[query + 3];
        int length = head.length();
        for (int j = 0; j < seen; j++) {
            scores[j] += (q0 * transposedKeys[key + j] + q1 * transposedKeys[key + length + j])
                    + (q2 * transposedKeys[key + 2 * length + j] + q3 * transposedKeys[key + 3 * length + j]);
        }
    }
}
