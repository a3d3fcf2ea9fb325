/**
 * The claims of Richard (2024), <i>Depth Extrapolation of Decoders Trained on Nested Structures</i>.
 *
 * <p>The guided tour: the task of section 2 is {@link org.lemmata.task.depth.logic.BooleanExpressions}, whose law
 * {@link org.lemmata.claim.depth.Algorithm1} tests. Section 3 memorizes one sequence, by one-hot tokens in
 * {@link org.lemmata.construct.depth.SequenceMemorizerByOneHotEmbedding} (lemma 5.1) and by the tokens of a
 * {@link org.lemmata.construct.depth.RandomProjection} in
 * {@link org.lemmata.construct.depth.SequenceMemorizerByProjection} (theorem 3.1). Section 4's task is
 * {@link org.lemmata.task.depth.DyckWords}, words of one bracket type with a bounded stack; its constructions are
 * {@link org.lemmata.construct.depth.DyckCompleterByPositionSums} (theorem 4.1) and
 * {@link org.lemmata.construct.depth.DyckCompleterWithoutPositions} (claim 5.3); the claims here run them as
 * {@link org.lemmata.model.Transformer}s and hold their loss and their probability of failure against the paper's
 * bounds, for which {@link org.lemmata.claim.depth.CompletionLaw} gives exact figures; {@code DyckCompletionBenchmark}
 * times them.
 *
 * <p>Trained decoders are judged beside them: {@link org.lemmata.claim.depth.figure.Figure1} on the simplification of
 * Boolean expressions, from the grid figure-1.yaml; {@link org.lemmata.claim.depth.figure.Figure3Left} from
 * figure-3-left.yaml; {@link org.lemmata.claim.depth.figure.Figure3Right} from figure-3-right.yaml, into whose
 * completions and weights {@link org.lemmata.claim.depth.figure.Figure4} and
 * {@link org.lemmata.claim.depth.figure.Figure5} look; and {@link org.lemmata.claim.depth.figure.Figure6} and
 * {@link org.lemmata.claim.depth.figure.Figure7} the ablated models of figure-6.yaml.
 *
 * <p>Beyond the paper, {@link org.lemmata.claim.depth.SeveralTypes} says why theorem 4.1 stops at one bracket type, and
 * {@link org.lemmata.construct.depth.DyckCompleterByLastOpener} goes on.
 */
@NullMarked
package org.lemmata.claim.depth;

import org.jspecify.annotations.NullMarked;
