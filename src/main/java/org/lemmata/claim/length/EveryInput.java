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

    static void forEach(int tokens, int period, int tau, int length, Consumer<PositionCounts> consumer) {
        List<int[]> tails = Sequences.every(tokens, Math.min(length, tau + 1));
        long[] counts = new long[tokens * period];
        Runnable inputs =
                () -> tails.forEach(tail -> consumer.accept(new PositionCounts(tokens, period, counts, tail)));
        enumerate(0, 0, tokens, length - tails.getFirst().length, counts, inputs);
    }

    /**
     * Enumerates the counts of the classes from number {@code first} on. Classes are numbered by residue, then by
     * token.
     *
     * @param left the number of positions that the smaller tokens leave at the residue of the first class
     * @param positions the number of positions before the last tokens
     * @param inputs runs after each change of the counts
     */
    private static void enumerate(int first, int left, int tokens, int positions, long[] counts, Runnable inputs) {
        if (first == counts.length) {
            inputs.run();
            return;
        }
        int period = counts.length / tokens;
        int residue = first / tokens;
        int token = first % tokens;
        int free = token == 0 ? (positions - residue + period - 1) / period : left;
        // The last token takes all positions that are left.
        for (int count = token == tokens - 1 ? free : 0; count <= free; count++) {
            counts[token * period + residue] = count;
            enumerate(first + 1, free - count, tokens, positions, counts, inputs);
        }
    }
}
