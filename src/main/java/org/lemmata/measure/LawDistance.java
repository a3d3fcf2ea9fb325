package org.lemmata.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;

/**
 * The distance of next-token probabilities p' from the distribution p of the sequences, over a range of positions.
 * {@code variation.T} is the mean of 1/2 sum |p' - p|. The other two measures use only positions where p allows a
 * closing token: {@code closing.T} is the mean of the sum of p' over the closing tokens that p allows, divided by the
 * sum over all closing tokens; {@code right.T} is the share of positions where p allows the closing token that is
 * likeliest under p'. T is the end of the range, which begins after the previous range.
 *
 * <p>Tokens of one sequence are correlated, so the 95% intervals are Student's over sequences, for the linearized ratio
 * of sums.
 *
 * <p>Source: Hayakawa and Sato (2024), Eqs. 10, 18 and 19.
 */
public final class LawDistance {

    /** Indices in a sequence's array of sums. */
    private static final int VARIATION = 0;

    private static final int PLACES = 1;
    private static final int CLOSING = 2;
    private static final int RIGHT = 3;
    private static final int CLOSING_PLACES = 4;
    private static final int SUMS = 5;

    private final List<Integer> bounds;
    private final int[] closing;
    private final int columns;

    /** The sums of each sequence for each range. */
    private final List<double[][]> sequences = new ArrayList<>();

    /**
     * @param bounds T in increasing order: the last position of each range, counted from 1
     * @param columns the size of the vocabulary
     * @param closing the ids of closing tokens
     */
    public LawDistance(List<Integer> bounds, int columns, int... closing) {
        this.bounds = List.copyOf(bounds);
        this.columns = columns;
        this.closing = closing.clone();
    }

    /**
     * Adds a sequence.
     *
     * @param first the position of the token that the first row predicts, counted from 1
     * @param law p, one row per token
     * @param answers p' for the same tokens, from index {@code from} on
     */
    public void add(int first, double[] law, double[] answers, int from) {
        double[][] sums = new double[bounds.size()][SUMS];
        sequences.add(sums);
        int range = 0;
        for (int row = 0; row * columns < law.length; row++) {
            while (range < bounds.size() && first + row > bounds.get(range)) {
                range++;
            }
            if (range == bounds.size()) {
                break;
            }
            addRow(sums[range], law, row * columns, answers, from + row * columns);
        }
    }

    private void addRow(double[] sums, double[] law, int row, double[] answers, int answer) {
        double variation = 0;
        for (int token = 0; token < columns; token++) {
            variation += Math.abs(answers[answer + token] - law[row + token]) / 2;
        }
        sums[VARIATION] += variation;
        sums[PLACES]++;
        double all = 0;
        double allowed = 0;
        double most = 0;
        for (int token : closing) {
            double share = answers[answer + token];
            all += share;
            allowed += law[row + token] > 0 ? share : 0;
            most = Math.max(most, share);
        }
        if (IntStream.of(closing).anyMatch(token -> law[row + token] > 0)) {
            int likeliest = 0;
            int right = 0;
            for (int token : closing) {
                likeliest += answers[answer + token] == most ? 1 : 0;
                right += answers[answer + token] == most && law[row + token] > 0 ? 1 : 0;
            }
            sums[CLOSING] += all > 0 ? allowed / all : 0;
            sums[RIGHT] += (double) right / likeliest;
            sums[CLOSING_PLACES]++;
        }
    }

    /** The measurements of all ranges, except measurements to which fewer than two sequences contribute. */
    public List<Measurement> measurements() {
        var all = new ArrayList<Measurement>();
        for (int i = 0; i < bounds.size(); i++) {
            add(all, "variation.", i, VARIATION, PLACES);
            add(all, "closing.", i, CLOSING, CLOSING_PLACES);
            add(all, "right.", i, RIGHT, CLOSING_PLACES);
        }
        return all;
    }

    /**
     * Adds a measurement if at least two sequences have positions in the range: the ratio of two sums over all
     * sequences.
     */
    private void add(List<Measurement> all, String name, int range, int of, int places) {
        double[] values =
                sequences.stream().mapToDouble(sums -> sums[range][of]).toArray();
        double[] counts =
                sequences.stream().mapToDouble(sums -> sums[range][places]).toArray();
        long cases = DoubleStream.of(counts).filter(one -> one > 0).count();
        if (cases > 1) {
            double ratio =
                    DoubleStream.of(values).sum() / DoubleStream.of(counts).sum();
            all.add(new Measurement(
                    name + bounds.get(range), ratio, "probability", Interval.ratio(values, counts), cases, null));
        }
    }

    /** Replaces each row x by its softmax, exp(x_i) / sum of exp(x_j). */
    public static void softmaxRows(double[] logits, int columns) {
        for (int row = 0; row < logits.length; row += columns) {
            double most = Double.NEGATIVE_INFINITY;
            for (int i = row; i < row + columns; i++) {
                most = Math.max(most, logits[i]);
            }
            double sum = 0;
            for (int i = row; i < row + columns; i++) {
                logits[i] = Math.exp(logits[i] - most);
                sum += logits[i];
            }
            for (int i = row; i < row + columns; i++) {
                logits[i] /= sum;
            }
        }
    }
}
