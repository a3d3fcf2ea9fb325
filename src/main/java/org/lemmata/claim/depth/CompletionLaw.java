package org.lemmata.claim.depth;

import java.util.Arrays;
import java.util.List;
import org.lemmata.model.LanguageModel;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.token.Batch;

/**
 * With which probability a sampled completion of a prefix is no word of D_2N, by the size r and the stack Delta of the
 * prefix.
 *
 * <p>f(r, Delta) = p f(r + 1, Delta + 1) + (1 - p) f(r + 1, Delta - 1) with p the probability of '(' after such a
 * prefix, f = 1 outside the lattice of D_2N and f(2N, 0) = 0. Where prefixes of one (r, Delta) give several p, the
 * least and the greatest are kept, and f becomes an interval that holds the figure of every prefix.
 */
final class CompletionLaw {

    private final int length;
    private final double[][] leastFailure;
    private final double[][] greatestFailure;

    private CompletionLaw(int length, double[][] leastFailure, double[][] greatestFailure) {
        this.length = length;
        this.leastFailure = leastFailure;
        this.greatestFailure = greatestFailure;
    }

    /**
     * Reads the model's probabilities off every prefix of the given words.
     *
     * @param words words of D_2N that between them reach every (r, Delta), such as {@link #covering} gives
     */
    static CompletionLaw of(LanguageModel model, int pairs, List<int[]> words) {
        int length = 2 * pairs;
        double[][] least = lattice(length, Double.POSITIVE_INFINITY);
        double[][] greatest = lattice(length, Double.NEGATIVE_INFINITY);
        Batch batch = Batch.of(words);
        double[] logits = model.logits(batch);
        for (int sequence = 0; sequence < words.size(); sequence++) {
            int stack = 0;
            for (int r = 1; r <= length; r++) {
                int row = batch.sequences().start(sequence) + r - 1;
                stack += batch.ids()[row] == DyckWords.OPEN ? 1 : -1;
                double margin = logits[2 * row + DyckWords.OPEN] - logits[2 * row + DyckWords.CLOSE];
                least[r][stack] = Math.min(least[r][stack], margin);
                greatest[r][stack] = Math.max(greatest[r][stack], margin);
            }
        }
        return solve(length, least, greatest);
    }

    /**
     * N words whose prefixes reach every (r, Delta) of D_2N: a times "()", then one nest of the N - a brackets left.
     */
    static List<int[]> covering(int pairs) {
        int[][] words = new int[pairs][2 * pairs];
        for (int a = 0; a < pairs; a++) {
            for (int i = 0; i < 2 * a; i++) {
                words[a][i] = i % 2 == 0 ? DyckWords.OPEN : DyckWords.CLOSE;
            }
            Arrays.fill(words[a], 2 * a, pairs + a, DyckWords.OPEN);
            Arrays.fill(words[a], pairs + a, 2 * pairs, DyckWords.CLOSE);
        }
        return List.of(words);
    }

    private static double[][] lattice(int length, double value) {
        double[][] lattice = new double[length + 1][length / 2 + 2];
        for (double[] row : lattice) {
            Arrays.fill(row, value);
        }
        return lattice;
    }

    private static CompletionLaw solve(int length, double[][] leastMargin, double[][] greatestMargin) {
        double[][] least = lattice(length, 1);
        double[][] greatest = lattice(length, 1);
        least[length][0] = 0;
        greatest[length][0] = 0;
        for (int r = length - 1; r >= 1; r--) {
            for (int stack = r % 2; stack <= Math.min(r, length - r); stack += 2) {
                if (leastMargin[r][stack] > greatestMargin[r][stack]) {
                    throw new IllegalArgumentException(
                            "words: expected one that reaches stack " + stack + " after " + r + " tokens, got none");
                }
                double close = stack == 0 ? 1 : least[r + 1][stack - 1];
                double a = mix(leastMargin[r][stack], least[r + 1][stack + 1], close);
                double b = mix(greatestMargin[r][stack], least[r + 1][stack + 1], close);
                least[r][stack] = Math.min(a, b);
                close = stack == 0 ? 1 : greatest[r + 1][stack - 1];
                a = mix(leastMargin[r][stack], greatest[r + 1][stack + 1], close);
                b = mix(greatestMargin[r][stack], greatest[r + 1][stack + 1], close);
                greatest[r][stack] = Math.max(a, b);
            }
        }
        return new CompletionLaw(length, least, greatest);
    }

    /** p open + (1 - p) close with p = 1 / (1 + exp(-margin)), each weight to full relative accuracy. */
    private static double mix(double margin, double open, double close) {
        return open / (1 + Math.exp(-margin)) + close / (1 + Math.exp(margin));
    }

    /**
     * A lower bound of the probability of failure after r tokens that leave {@code stack} open; tight if logits agree.
     */
    double leastFailure(int r, int stack) {
        return leastFailure[r][stack];
    }

    /**
     * An upper bound of the probability of failure after r tokens that leave {@code stack} open; tight if logits agree.
     */
    double greatestFailure(int r, int stack) {
        return greatestFailure[r][stack];
    }

    /** The greatest probability of failure over all prefixes of all words of D_2N. */
    double greatestFailure() {
        double greatest = 0;
        for (int r = 1; r < length; r++) {
            for (int stack = r % 2; stack <= Math.min(r, length - r); stack += 2) {
                greatest = Math.max(greatest, greatestFailure[r][stack]);
            }
        }
        return greatest;
    }
}
