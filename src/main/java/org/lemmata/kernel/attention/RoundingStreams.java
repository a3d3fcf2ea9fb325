package org.lemmata.kernel.attention;

import org.lemmata.random.RandomStream;

/**
 * Defines which random word of a {@link RandomStream} each number of attention uses in stochastic rounding. The word
 * depends on the stream, the site and the place of the number in the batch.
 *
 * <p>Each site is a {@link RandomStream#part}. Numbers per query and key (scores, weights and gradients of scores) use
 * the stream of their block of {@value AttentionProducts#QUERIES} queries. It is the stream of the part with (row of
 * the block's first query * heads + head) * 2^32 added to its step. Key j of the sequence and query i of the block use
 * word {@code j * QUERIES + i} of that stream. Row r and column c of a matrix use word {@code r * roundUp(columns, 32)
 * + c} of the part itself. The products and sums of the site {@code sums} use the words of their part in the order in
 * which the reference computes them.
 */
final class RoundingStreams {

    static final int SCORES = 0;
    static final int EXPONENTIALS = 1;
    static final int OUTPUTS = 2;
    static final int IDENTITY_OUTPUTS = 3;
    static final int SUMS = 4;
    static final int SCORE_GRADIENTS = 5;
    static final int QUERY_GRADIENTS = 6;
    static final int KEY_GRADIENTS = 7;
    static final int VALUE_GRADIENTS = 8;
    static final int GRADIENT_SUMS = 9;

    /** Passed for deterministic rounding, which ignores it. */
    static final RandomStream NONE = new RandomStream(0, 0, 0);

    private RoundingStreams() {}
}
