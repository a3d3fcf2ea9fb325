package org.lemmata.claim.length;

import java.util.List;
import java.util.function.Consumer;
import org.lemmata.claim.Sequences;
import org.lemmata.construct.length.PositionCounts;

/**
 * Enumerates all inputs of a length, up to differences that do not affect a one-layer limit transformer. An input is
 * represented by its last tau + 1 tokens, and by the counts of the classes (token, residue) before them.
 */
final class EveryInput {

    private final int tokens;
    private final int period;
    private final int length;
    private final List<int[]> lastTokens;
    private final Consumer<PositionCounts> consumer;
    private final long[] counts;

    private EveryInput(int tokens, int period, int tau, int length, Consumer<PositionCounts> consumer) {
        this.tokens = tokens;
        this.period = period;
        this.length = length;
        this.lastTokens = Sequences.every(tokens, Math.min(length, tau + 1));
        this.consumer = consumer;
        this.counts = new long[tokens * period];
    }

    static void forEach(int tokens, int period, int tau, int length, Consumer<PositionCounts> consumer) {
        var every = new EveryInput(tokens, period, tau, length, consumer);
        every.residues(0);
    }

    /** Enumerates the counts at the residues from {@code residue} on. */
    private void residues(int residue) {
        if (residue == period) {
            tails();
            return;
        }
        int positions = (length - lastTokens.getFirst().length - residue + period - 1) / period;
        tokens(residue, 0, positions);
    }

    /** Enumerates the counts of the tokens from {@code token} on at one residue; they add up to {@code left}. */
    private void tokens(int residue, int token, int left) {
        int at = token * period + residue;
        if (token == tokens - 1) {
            counts[at] = left;
            residues(residue + 1);
            return;
        }
        for (int count = 0; count <= left; count++) {
            counts[at] = count;
            tokens(residue, token + 1, left - count);
        }
    }

    private void tails() {
        lastTokens.forEach(tail -> consumer.accept(new PositionCounts(tokens, period, counts, tail)));
    }
}
