package org.lemmata.claim.depth;

import java.util.Arrays;
import java.util.List;
import java.util.function.BiPredicate;
import org.lemmata.model.LanguageModel;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.token.Batch;

/**
 * The probabilities that a sampled completion of a prefix is a word of D_2N and that it is not, by the length r and the
 * stack size Delta of the prefix.
 *
 * <p>f(r, Delta) = p f(r + 1, Delta + 1) + (1 - p) f(r + 1, Delta - 1) with p the probability of '(' after the prefix.
 * For failure, f = 1 outside the lattice of D_2N and f(2N, 0) = 0; for success, f = 0 outside and f(2N, 0) = 1. Both
 * probabilities are computed, because 1 minus one of them is inaccurate if the other is small. If prefixes with the
 * same (r, Delta) have different p, the maximum f is kept as a bound. The law also holds for prefixes of other words if
 * logits depend only on (r, Delta). Under uniform attention, this is true up to rounding.
 *
 * @param length 2N
 * @param failure an upper bound of the probability of failure by r and Delta, exact if logits depend only on them
 * @param success an upper bound of the probability of success by r and Delta, exact if logits depend only on them
 */
@SuppressWarnings("ArrayRecordComponent") // The arrays are never changed or compared.
record CompletionLaw(int length, double[][] failure, double[][] success) {

    /**
     * The law from a model's probabilities after every prefix of the given words.
     *
     * @param words words of D_2N whose prefixes reach every (r, Delta), such as {@link #covering}
     */
    static CompletionLaw of(LanguageModel model, int pairs, List<int[]> words) {
        int length = 2 * pairs;
        double[][] minimum = lattice(length, Double.POSITIVE_INFINITY);
        double[][] maximum = lattice(length, Double.NEGATIVE_INFINITY);
        Batch batch = Batch.of(words);
        double[] logits = model.logits(batch);
        for (int sequence = 0; sequence < words.size(); sequence++) {
            int stack = 0;
            for (int r = 1; r <= length; r++) {
                int row = batch.sequences().start(sequence) + r - 1;
                stack += batch.ids()[row] == DyckWords.OPEN ? 1 : -1;
                double margin = logits[2 * row + DyckWords.OPEN] - logits[2 * row + DyckWords.CLOSE];
                minimum[r][stack] = Math.min(minimum[r][stack], margin);
                maximum[r][stack] = Math.max(maximum[r][stack], margin);
            }
        }
        return new CompletionLaw(length, solve(length, minimum, maximum, 1), solve(length, minimum, maximum, 0));
    }

    /** N words whose prefixes reach every (r, Delta) of D_2N: "()" a times, then N - a nested brackets. */
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

    /**
     * Solves the recursion for f backward from r = 2N, and keeps the maximum over prefixes with equal (r, Delta). The
     * boundary values are {@code outside} off the lattice, and 1 - {@code outside} at (2N, 0).
     */
    private static double[][] solve(int length, double[][] minMargin, double[][] maxMargin, double outside) {
        double[][] f = lattice(length, outside);
        f[length][0] = 1 - outside;
        for (int r = length - 1; r >= 1; r--) {
            for (int stack = r % 2; stack <= Math.min(r, length - r); stack += 2) {
                if (minMargin[r][stack] > maxMargin[r][stack]) {
                    throw new IllegalArgumentException(
                            "words: expected a word with stack " + stack + " after " + r + " tokens, got none");
                }
                double open = f[r + 1][stack + 1];
                double close = stack == 0 ? outside : f[r + 1][stack - 1];
                f[r][stack] = Math.max(mix(minMargin[r][stack], open, close), mix(maxMargin[r][stack], open, close));
            }
        }
        return f;
    }

    /** p open + (1 - p) close with p = 1 / (1 + exp(-margin)). Each weight has full relative accuracy. */
    private static double mix(double margin, double open, double close) {
        return open / (1 + Math.exp(-margin)) + close / (1 + Math.exp(margin));
    }

    double maxFailure() {
        return maximum(failure, (r, stack) -> true);
    }

    /**
     * The maximum probability of success over all prefixes whose stack size differs from the stack size of {@code word}
     * at the same length; 0 if there are none.
     */
    double maxSuccessOffThePathOf(int[] word) {
        return maximum(success, (r, stack) -> stack != DyckSizes.stack(word, r));
    }

    private double maximum(double[][] f, BiPredicate<Integer, Integer> among) {
        double maximum = 0;
        for (int r = 1; r < length; r++) {
            for (int stack = r % 2; stack <= Math.min(r, length - r); stack += 2) {
                maximum = among.test(r, stack) ? Math.max(maximum, f[r][stack]) : maximum;
            }
        }
        return maximum;
    }
}
