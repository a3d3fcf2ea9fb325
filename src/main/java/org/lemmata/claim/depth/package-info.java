/**
 * The claims of Richard (2024), <i>Depth Extrapolation of Decoders Trained on Nested Structures</i>.
 *
 * <p>The guided tour: the task is {@link org.lemmata.task.depth.DyckWords}, words of one bracket type with a bounded
 * stack; the constructions are {@link org.lemmata.construct.depth.DyckCompleterByPositionSums} (theorem 4.1) and {@link
 * org.lemmata.construct.depth.DyckCompleterWithoutPositions} (claim 5.3); the claims here run them as {@link
 * org.lemmata.model.Transformer}s and hold their loss and their probability of failure against the paper's bounds, for
 * which {@link org.lemmata.claim.depth.CompletionLaw} gives exact figures; {@code DyckCompletionBenchmark} times them. {@link
 * org.lemmata.claim.depth.Figure3Left} judges trained decoders beside them, from the grid figure-3-left.yaml.
 */
@NullMarked
package org.lemmata.claim.depth;

import org.jspecify.annotations.NullMarked;
