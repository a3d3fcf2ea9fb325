/**
 * The claims of Hayakawa and Sato (2024), <i>Theoretical Analysis of Hierarchical Language Recognition and Generation
 * by Transformers without Positional Encoding</i>.
 *
 * <p>The guided tour: section 3 has two languages, {@link org.lemmata.task.hierarchy.BracketLanguage}, and a random
 * process for each, {@link org.lemmata.task.hierarchy.GenerationProcess}. Without positions, causal attention and a
 * start count tokens and depths as angles; {@link org.lemmata.construct.hierarchy.DyckRecognizer} (theorem 1) and
 * {@link org.lemmata.construct.hierarchy.DyckGenerator} (theorem 2) find the partner of a bracket by them,
 * {@link org.lemmata.construct.hierarchy.ShuffleDyckRecognizer} and
 * {@link org.lemmata.construct.hierarchy.ShuffleDyckGenerator} (propositions 3 and 4) need depths alone, and
 * {@link org.lemmata.construct.hierarchy.DyckRecognizerWithoutStart} and
 * {@link org.lemmata.construct.hierarchy.DyckGeneratorWithoutStart} (corollaries 1 and 2) make a start of their own.
 * All constants follow from length and depth by {@link org.lemmata.construct.hierarchy.DyckConstants}.
 *
 * <p>Recognizers are held against a stack or counters, generators against the process, after every prefix. What is
 * printed and does not hold is refuted beside what does. How many bits a recognizer takes is
 * {@link org.lemmata.construct.hierarchy.DyckConstants#law}, and tested by the claim {@code hierarchy.precision-law}.
 */
@NullMarked
package org.lemmata.claim.hierarchy;

import org.jspecify.annotations.NullMarked;
