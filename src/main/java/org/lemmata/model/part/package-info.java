/**
 * The parts of the transformer. The file of a part has its saved values, its forward and backward pass, and, if it has
 * matrix products, its count of multiplications. A batch passes through {@link org.lemmata.model.part.TransformerPass},
 * {@code EmbeddingPart}, {@code AttentionPart}, {@code FeedForwardPart} and {@code OutputPart}, and its gradient passes
 * back in reverse order. {@code RowSelection.From} determines the first step that computes only the scored rows.
 */
@NullMarked
package org.lemmata.model.part;

import org.jspecify.annotations.NullMarked;
