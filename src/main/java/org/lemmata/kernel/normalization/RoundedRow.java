package org.lemmata.kernel.normalization;

import org.jspecify.annotations.Nullable;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.random.RandomStream;

/** One row of {@link RoundedNormalization} whose steps are rounded, and the random words of its steps. */
final class RoundedRow {

    // Steps, by the part of the stream that their words are of.
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

    /** Words of a row and step: whole tiles. */
    private final int width;

    private final int[] words;
    private final int[] statisticsWords = new int[RandomStream.TILE];

    private float mean;
    private float reciprocal;

    /** Null stands for binary32, to nearest even. */
    RoundedRow(@Nullable Rounding sums, @Nullable Rounding statistics, RandomStream stream, int columns) {
        Rounding binary32 = Rounding.toNearestEven(FloatFormat.BINARY32);
        this.sums = sums == null ? binary32 : sums;
        this.statistics = statistics == null ? binary32 : statistics;
        this.stream = stream;
        this.columns = columns;
        width = Math.ceilDiv(columns, RandomStream.TILE) * RandomStream.TILE;
        words = new int[this.sums.isStochastic() ? ELEMENT_STEPS * width : 0];
    }

    float mean() {
        return mean;
    }

    float reciprocal() {
        return reciprocal;
    }

    /** The words of row i. */
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

    /** Mean and reciprocal root of row i, which begins at {@code x[from]}. */
    void measure(int i, float[] x, int from, boolean layer, float epsilon) {
        draw(i);
        mean = 0;
        if (layer) {
            float sum = 0;
            for (int j = 0; j < columns; j++) {
                sum = add(sum, x[from + j], SUM, j);
            }
            mean = RoundedStatistics.quotientPlus(sum, columns, 0, statistics, statisticsWords[0]);
        }
        float sumOfSquares = 0;
        for (int j = 0; j < columns; j++) {
            float difference = centered(x[from + j], layer, j);
            float square = multiply(difference, difference, SQUARE, j);
            sumOfSquares = add(sumOfSquares, square, SUM_OF_SQUARES, j);
        }
        float meanSquare =
                RoundedStatistics.quotientPlus(sumOfSquares, columns, epsilon, statistics, statisticsWords[1]);
        reciprocal = RoundedStatistics.reciprocalRoot(meanSquare, statistics, statisticsWords[2]);
    }

    /** Element j of the row last measured. */
    float normalized(float x, boolean layer, int j) {
        return multiply(centered(x, layer, j), reciprocal, SCALED, j);
    }

    float gained(float normalized, float gain, int j) {
        return multiply(normalized, gain, GAINED, j);
    }

    float shifted(float gained, float shift, int j) {
        return add(gained, shift, SHIFTED, j);
    }
}
