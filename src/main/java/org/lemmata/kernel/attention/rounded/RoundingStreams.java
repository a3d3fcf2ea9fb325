package org.lemmata.kernel.attention.rounded;

import org.lemmata.kernel.attention.AttentionProducts;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.random.RandomStream;

/**
 * Which word of a {@link RandomStream} a number of attention takes where it is rounded stochastically: a function of
 * the stream, the site, and the place of the number in its batch.
 *
 * <p>Each site is a {@link RandomStream#part}. A number for each pair of a query and a key (scores, weights and
 * gradients of scores) has the stream of its block of {@value AttentionProducts#QUERIES} queries, which is that of the
 * part with (row of the block's first query * heads + head) * 2^32 added to its step; of that, key j and query i of the
 * block take word {@code j * QUERIES + i}. A number in row r and column c of a matrix takes word {@code r *
 * roundUp(columns, 32) + c} of the part itself. The products and sums of the site {@code sums} take the words of theirs
 * one after the other, as the reference comes to them.
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

    /** What a deterministic rounding is given, and does not look at. */
    static final RandomStream NONE = new RandomStream(0, 0, 0);

    private RoundingStreams() {}

    /** The stream of the pairs of a block of queries, of which the first is {@code row} of the batch. */
    static RandomStream block(RandomStream stream, int part, int row, int head, AttentionShape shape) {
        RandomStream site = stream.part(part);
        return new RandomStream(
                site.seed(), site.stream(), site.step() + (((long) row * shape.heads() + head) << Integer.SIZE));
    }
}
