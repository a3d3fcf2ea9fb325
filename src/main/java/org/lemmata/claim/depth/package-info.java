/**
 * The claims of Richard (2024), <i>Depth Extrapolation of Decoders Trained on Nested Structures</i>.
 *
 * <p>The guided tour: the task of section 2 is {@link org.lemmata.task.depth.logic.BooleanExpressions}, whose
 * distribution {@link org.lemmata.claim.depth.Algorithm1} tests. Section 3 memorizes one sequence:
 * {@link org.lemmata.construct.depth.SequenceMemorizerByOneHotEmbedding} uses one-hot tokens (lemma 5.1), and
 * {@link org.lemmata.construct.depth.SequenceMemorizerByProjection} uses a
 * {@link org.lemmata.construct.depth.RandomProjection} (theorem 3.1). Section 4's task is
 * {@link org.lemmata.task.depth.DyckWords}, words of one bracket type with bounded depth. Its constructions are
 * {@link org.lemmata.construct.depth.DyckCompleterByPositionSums} (theorem 4.1) and
 * {@link org.lemmata.construct.depth.DyckCompleterWithoutPositions} (claim 5.3). The claims run them as
 * {@link org.lemmata.model.Transformer}s and compare their loss and failure probability with the paper's bounds;
 * {@link org.lemmata.claim.depth.CompletionLaw} computes exact probabilities. {@code DyckCompletionBenchmark} measures
 * their speed.
 *
 * <p>Other claims are about trained decoders. {@link org.lemmata.claim.depth.figure.Figure1} is about the
 * simplification of Boolean expressions (grid figure-1.yaml), {@link org.lemmata.claim.depth.figure.Figure3Left} and
 * {@link org.lemmata.claim.depth.figure.Figure3Right} are about the completion of words (figure-3-left.yaml and
 * figure-3-right.yaml). {@link org.lemmata.claim.depth.figure.Figure4} and
 * {@link org.lemmata.claim.depth.figure.Figure5} examine completions and weights of figure-3-right.yaml, and
 * {@link org.lemmata.claim.depth.figure.Figure6} and {@link org.lemmata.claim.depth.figure.Figure7} the ablated models
 * of figure-6.yaml.
 *
 * <p>Beyond the paper, {@link org.lemmata.claim.depth.SeveralTypes} shows why theorem 4.1 is limited to one bracket
 * type, and {@link org.lemmata.construct.depth.DyckCompleterByLastOpener} extends it to several.
 */
@NullMarked
package org.lemmata.claim.depth;

import org.jspecify.annotations.NullMarked;
