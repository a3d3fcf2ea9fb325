/**
 * The claims of Hayakawa and Sato (2024), <i>Theoretical Analysis of Hierarchical Language Recognition and Generation
 * by Transformers without Positional Encoding</i>.
 *
 * <p>A guided tour: Section 3 defines two languages, {@link org.lemmata.task.hierarchy.BracketLanguage}, and a random
 * process for each, {@link org.lemmata.task.hierarchy.GenerationProcess}. The models have no positional encoding; they
 * represent token counts and depths as angles, by causal attention to a start token.
 *
 * <p>{@link org.lemmata.construct.hierarchy.DyckRecognizer} (theorem 1) and
 * {@link org.lemmata.construct.hierarchy.DyckGenerator} (theorem 2) use these angles to find the partner of a bracket.
 * {@link org.lemmata.construct.hierarchy.ShuffleDyckRecognizer} and
 * {@link org.lemmata.construct.hierarchy.ShuffleDyckGenerator} (propositions 3 and 4) need only depths.
 * {@link org.lemmata.construct.hierarchy.DyckRecognizerWithoutStart} and
 * {@link org.lemmata.construct.hierarchy.DyckGeneratorWithoutStart} (corollaries 1 and 2) compute a pseudo start token.
 * {@link org.lemmata.construct.hierarchy.DyckConstants} computes the constants of theorems 1 and 2 from length and
 * depth.
 *
 * <p>After every prefix, the claims compare recognizers with a stack or counters, and generators with the process. If a
 * printed statement is refuted, another claim tests its corrected form. {@code hierarchy.precision-law} tests the
 * number of bits that a recognizer requires ({@link org.lemmata.construct.hierarchy.DyckConstants#neededBits}).
 */
@NullMarked
package org.lemmata.claim.hierarchy;

import org.jspecify.annotations.NullMarked;
