/**
 * The parts of the transformer. Each part is one file with its weights, the values that it saves, its forward pass, its
 * backward pass and its count of multiplications. A batch passes through
 * {@link org.lemmata.model.part.TransformerPass}, {@code EmbeddingPart}, {@code Layer}, {@code AttentionPart},
 * {@code FeedForwardPart} and {@code OutputPart}, and its gradient passes back in reverse order. {@code RowSelection}
 * decides from which step on only the scored rows are computed.
 */
@NullMarked
package org.lemmata.model.part;

import org.jspecify.annotations.NullMarked;
