package org.lemmata.model.part;

import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.model.Architecture;

/**
 * The number of floating-point operations of a transformer.
 *
 * <p>A product of an m by k and a k by n matrix is 2 m n k operations. Let w be the model's width, h the hidden width,
 * a the number of columns of all heads of a layer, and V the number of outputs. A forward pass takes
 *
 * <pre>
 * 2 tokens layers (w a for each of W_Q, W_K, W_V and W_O that exists + 2 w h)   maps
 * 2 pairs layers (a + a)                                                         scores and sums of values
 * 2 rows w V                                                                     unembedding
 * </pre>
 *
 * <p>where pairs counts the pairs of a query and a position that it sees: n (n + 1) / 2 for a causal sequence of n
 * tokens, n² without a mask. Identity terms add w columns per head to a in the second line. If outputs are computed for
 * at most half of the tokens, and there is no dropout, the last feed-forward is counted only for these rows, as in
 * training. In regression, the rows are assumed to be the last of their sequences. Without identity terms, W_Q, W_O and
 * the pairs of the last layer are then also counted only for these rows, although training computes all rows if it
 * rounds anything except weights. A backward pass takes two products for each product of the forward pass, and computes
 * the scores again.
 *
 * <p>Operations that are linear in the tokens or in the parameters are not counted: norms, activations, softmax, sums,
 * uniform attention (running means), embeddings, dropout, rounding, the loss and the optimizer.
 *
 * @param architecture the architecture of the transformer
 */
public record FlopCount(Architecture architecture) {

    /** Five products divided by two of the forward pass: scores again, gradients of weights, values, queries, keys. */
    private static final double ATTENTION_BACKWARD = 2.5;

    /**
     * The number of pairs of a query and a position that it sees.
     *
     * @param length the number of tokens of the sequence
     */
    public double pairs(double length) {
        return architecture.attention().mask() == Mask.CAUSAL ? length * (length + 1) / 2 : length * length;
    }

    /**
     * The number of operations of a forward pass.
     *
     * @param pairs the sum of {@link #pairs} over the sequences of the batch
     * @param rows number of rows whose outputs are computed
     */
    public double forward(double tokens, double pairs, double rows) {
        return products(tokens, rows) + attention(tokens, pairs, rows);
    }

    /** The number of operations for one sequence, if {@code rows} of its outputs are computed. */
    public double forward(int length, double rows) {
        return forward(length, pairs(length), rows);
    }

    public double gradient(double tokens, double pairs, double rows) {
        return 3 * products(tokens, rows) + (1 + ATTENTION_BACKWARD) * attention(tokens, pairs, rows);
    }

    private double products(double tokens, double rows) {
        RowSelection.From from = RowSelection.From.of(architecture, tokens, rows);
        return 2
                * (AttentionPart.products(architecture, tokens, rows, from)
                        + FeedForwardPart.products(architecture, tokens, rows, from)
                        + OutputPart.products(architecture, rows));
    }

    private double attention(double tokens, double pairs, double rows) {
        RowSelection.From from = RowSelection.From.of(architecture, tokens, rows);
        return 2 * AttentionPart.pairProducts(architecture, tokens, pairs, from);
    }
}
