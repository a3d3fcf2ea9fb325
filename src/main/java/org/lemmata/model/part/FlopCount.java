package org.lemmata.model.part;

import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.model.Architecture;

/**
 * Floating-point operations of a transformer, by counting.
 *
 * <p>A product of an m by k and a k by n matrix is 2 m n k operations. With w the model's width, h the hidden width, a
 * all columns of the heads of a layer and V the outputs, a forward pass takes
 *
 * <pre>
 * 2 tokens layers (w a for each of W_Q, W_K, W_V and W_O that is there + 2 w h)   maps
 * 2 pairs layers (a + a)                                                         scores and sums of values
 * 2 rows w V                                                                     unembedding
 * </pre>
 *
 * <p>where pairs are those of a query and a position that it sees: n (n + 1) / 2 of a causal sequence of n tokens, n²
 * of one without mask. Identity terms add w columns a head to both a. Where at most half of the tokens are rows whose
 * outputs are made, and there is no dropout, the last feed-forward is counted for these rows alone, as training
 * computes it; and so are W_Q, W_O and the pairs of the last layer for regression without identity terms, whose rows
 * are the last of their sequences (where something is rounded, training computes all of them). A backward pass takes
 * two products for each of the forward pass, and the scores once more, which are not kept.
 *
 * <p>Left out is what is linear in the tokens or in the parameters: norms, activations, softmax, sums, uniform
 * attention (which is running means), embeddings, dropout, rounding, the loss and the optimizer.
 *
 * @param architecture of the transformer
 */
public record FlopCount(Architecture architecture) {

    /** Scores again, the gradients of weights, values, queries and keys: five products for two. */
    private static final double ATTENTION_BACKWARD = 2.5;

    /**
     * The pairs of a query and a position that it sees in a sequence.
     *
     * @param length its tokens
     */
    public double pairs(double length) {
        return architecture.attention().mask() == Mask.CAUSAL ? length * (length + 1) / 2 : length * length;
    }

    /**
     * A forward pass.
     *
     * @param tokens that it reads
     * @param pairs of all its sequences
     * @param rows whose outputs are made
     */
    public double forward(double tokens, double pairs, double rows) {
        return products(tokens, rows) + attention(tokens, pairs, rows);
    }

    /** A forward and a backward pass: the same with gradients of every parameter. */
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
