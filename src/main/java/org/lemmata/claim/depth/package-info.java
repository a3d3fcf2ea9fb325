/**
 * The claims of Richard (2024), <i>Depth Extrapolation of Decoders Trained on Nested Structures</i>.
 *
 * <p>A guided tour: Section 2's task is {@link org.lemmata.task.depth.logic.BooleanExpressions}.
 * {@link org.lemmata.claim.depth.Algorithm1} tests the distribution of its clauses. Section 3 memorizes one sequence.
 * {@link org.lemmata.construct.depth.SequenceMemorizerByOneHotEmbedding} uses one-hot tokens (lemma 5.1);
 * {@link org.lemmata.construct.depth.SequenceMemorizerByProjection} uses a
 * {@link org.lemmata.construct.depth.RandomProjection} (theorem 3.1).
 *
 * <p>Section 4's task is {@link org.lemmata.task.depth.DyckWords}: words of one bracket type and limited depth. Its
 * constructions are {@link org.lemmata.construct.depth.DyckCompleterByPositionSums} (theorem 4.1) and
 * {@link org.lemmata.construct.depth.DyckCompleterWithoutPositions} (claim 5.3). The claims run both as
 * {@link org.lemmata.model.Transformer}s, and compare their loss and failure probability with the paper's bounds.
 * {@link org.lemmata.claim.depth.CompletionLaw} computes exact failure probabilities.
 *
 * <p>Beyond the paper, {@link org.lemmata.claim.depth.SeveralTypes} shows why theorem 4.1 is limited to one bracket
 * type. {@link org.lemmata.construct.depth.DyckCompleterByLastOpener} handles several types. The claims about trained
 * decoders are in {@link org.lemmata.figure.depth}.
 */
@NullMarked
package org.lemmata.claim.depth;

import org.jspecify.annotations.NullMarked;
