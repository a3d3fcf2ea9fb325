/**
 * The parts of the transformer, one a file, each with where its weights are, what it saves, its forward pass, its
 * backward pass below that, and its multiplications. A batch goes through
 * {@link org.lemmata.model.part.TransformerPass}, {@code EmbeddingPart}, {@code Layer}, {@code AttentionPart},
 * {@code FeedForwardPart} and {@code OutputPart}, and its gradient back the same way; {@code RowSelection} says from
 * where on the rows alone are computed that are asked for.
 */
@NullMarked
package org.lemmata.model.part;

import org.jspecify.annotations.NullMarked;
