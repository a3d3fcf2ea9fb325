package org.lemmata.task.hierarchy;

import org.lemmata.argument.Refuse;

/**
 * A process of Dyck_k under the condition that its word ends within n_max tokens, including the end token.
 *
 * <p>S(m, h) is the probability that a word with h open brackets ends within m more tokens: S(m, 0) = 1 - r + r S(m -
 * 1, 1), otherwise S(m, h) = q S(m - 1, h + 1) + (1 - q) S(m - 1, h - 1), and S(0, h) = 0. Under the condition, a token
 * t has the probability p(t) S(m - 1, h') / S(m, h), where h' brackets are open after t. The end token has the
 * probability (1 - r) / S(m, 0). The probability of a word is therefore its probability in the process divided by
 * S(n_max, 0).
 */
final class EndingInTime {

    /** The maximum n_max; the table takes 2 n_max^2 bytes. */
    static final int MAX_LENGTH = 1 << 12;

    private final BracketTokens tokens;
    private final int maxLength;

    /** Row m: S(m, h) for each h that is possible with m tokens left. */
    private final double[][] ends;

    EndingInTime(GenerationProcess process, int maxLength, int shortest) {
        Refuse.when(process.language() != BracketLanguage.DYCK, "whole", "false for Shuffle-Dyck", "true");
        Refuse.outside("maxLength", maxLength, shortest, MAX_LENGTH);
        this.tokens = process.tokens();
        this.maxLength = maxLength;
        ends = new double[maxLength + 1][];
        ends[0] = new double[0];
        for (int m = 1; m <= maxLength; m++) {
            ends[m] = new double[Math.min(m, maxLength - m + 1)];
            for (int h = 0; h < ends[m].length; h++) {
                ends[m][h] = h == 0
                        ? 1 - process.r() + process.r() * ends(m - 1, 1)
                        : process.q() * ends(m - 1, h + 1) + (1 - process.q()) * ends(m - 1, h - 1);
            }
        }
    }

    private double ends(int m, int h) {
        return h < ends[m].length ? ends[m][h] : 0;
    }

    /** S(n_max, 0), the probability that a word of the process ends within n_max tokens. */
    double probability() {
        return ends(maxLength, 0);
    }

    /**
     * Conditions the probabilities of the next token, in place.
     *
     * @param next the probabilities in the process
     * @param read the number of tokens read
     * @param open the number of open brackets
     */
    void condition(double[] next, int read, int open) {
        int left = maxLength - read;
        for (int id = 0; id < tokens.brackets(); id++) {
            next[id] *= next[id] > 0 ? ends(left - 1, open + tokens.rise(id)) / ends(left, open) : 0;
        }
        next[tokens.end()] /= open == 0 ? ends(left, 0) : 1;
    }
}
