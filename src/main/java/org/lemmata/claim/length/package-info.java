/**
 * The claims of Izzo, Nichani and Lee (2025), <i>Quantitative Bounds for Length Generalization in Transformers</i>.
 *
 * <p>A guided tour: Section 3.1's limit transformer is a {@link org.lemmata.model.Architecture} with periodic
 * positions, score biases by distance, and scores times the logarithm of the length. Section 3.2's attention at p bits
 * is {@link org.lemmata.kernel.attention.AttentionShape.Weighting#THRESHOLDED}.
 *
 * <p>Section 5 has two tasks, {@link org.lemmata.task.length.SimpleTask} and {@link org.lemmata.task.length.ModPTask}.
 * Their limit transformers (appendix A.2) are {@link org.lemmata.construct.length.SimpleTaskByPiecewiseLinearSine} and
 * {@link org.lemmata.construct.length.ModPTaskByPeriodicPositions}. {@link org.lemmata.claim.length.TaskValues}
 * compares them with the tasks at lengths up to 10^5, and measures theorem 4.1's L.
 *
 * <p>The theory: from 2^(p / gamma) tokens on, attention at p bits equals hardmax
 * ({@link org.lemmata.claim.length.Hardmax}). Here, gamma is the {@link org.lemmata.construct.length.LogitMargin} of a
 * {@link org.lemmata.construct.length.LimitAttention} ({@link org.lemmata.claim.length.MarginCases}). Without finite
 * precision, short inputs do not identify a transformer ({@link org.lemmata.claim.length.Identifiability}).
 *
 * <p>The proof of theorem 4.1 replaces a long sequence by an {@link org.lemmata.construct.length.AuxiliaryString}; its
 * Javadoc contains the construction and the proof. {@link org.lemmata.claim.length.Theorem41String} tests the string.
 * The resulting length is {@link org.lemmata.construct.length.GeneralizationBound}.
 * {@link org.lemmata.claim.length.Theorem41Bound} tests this bound on random pairs, and on pairs that short inputs do
 * not distinguish. {@code docs/errata.md} lists the printed statements that fail.
 *
 * <p>The claims about trained models are in {@link org.lemmata.figure.length}.
 */
@NullMarked
package org.lemmata.claim.length;

import org.jspecify.annotations.NullMarked;
