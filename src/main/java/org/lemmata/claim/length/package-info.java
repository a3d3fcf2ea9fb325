/**
 * The claims of Izzo, Nichani and Lee (2025), <i>Quantitative Bounds for Length Generalization in Transformers</i>.
 *
 * <p>The guided tour: section 3.1's limit transformer is a {@link org.lemmata.model.Architecture} with periodic
 * positions, score biases by distance and scores times the logarithm of the length; section 3.2's attention at p bits
 * is {@link org.lemmata.kernel.attention.AttentionShape.Weighting#THRESHOLDED}. Section 5 has two tasks,
 * {@link org.lemmata.task.length.SimpleTask} and {@link org.lemmata.task.length.ModPTask}, whose limit transformers
 * (appendix A.2) are {@link org.lemmata.construct.length.SimpleTaskByPiecewiseLinearSine} and
 * {@link org.lemmata.construct.length.ModPTaskByPeriodicPositions}. {@link org.lemmata.claim.length.SimpleTaskValue}
 * and {@link org.lemmata.claim.length.ModPTaskValue} hold them against the tasks at lengths to 10^5,
 * {@link org.lemmata.claim.length.SimpleTaskValue} says how great theorem 4.1's L is. {@code LimitTransformerBenchmark}
 * times them by length.
 *
 * <p>The theory: section 3.2's attention at p bits is hardmax from 2^(p / gamma) tokens on
 * ({@link org.lemmata.claim.length.Hardmax}), with gamma the {@link org.lemmata.construct.length.LogitMargin} of a
 * {@link org.lemmata.construct.length.LimitAttention} ({@link org.lemmata.claim.length.MarginCases}); without finite
 * precision nothing is identified ({@link org.lemmata.claim.length.Identifiability}). Theorem 4.1 replaces a long
 * sequence by an {@link org.lemmata.construct.length.AuxiliaryString}, which is built and proven there and tested by
 * {@link org.lemmata.claim.length.Theorem41String}; the length that follows from it is
 * {@link org.lemmata.construct.length.GeneralizationBound}, tested by {@link org.lemmata.claim.length.Theorem41Bound}
 * on pairs that short inputs do not tell apart. {@code docs/errata.md} says what fails as printed, and why scores are
 * finite here.
 *
 * <p>Figures 1 to 3 are judged from trained models: {@link org.lemmata.claim.length.figure.SimpleTaskFigure} of
 * {@link org.lemmata.task.length.SimpleTask}, {@link org.lemmata.claim.length.figure.ModPTaskFigure} and
 * {@link org.lemmata.claim.length.figure.Figure3} of {@link org.lemmata.task.length.ModPTask}, which look at the same
 * runs.
 *
 * <p>Beyond the paper, {@link org.lemmata.claim.length.figure.NumberComparison} and
 * {@link org.lemmata.claim.length.figure.WordComparison} compare how tasks generalize in length with one layer and with
 * two.
 */
@NullMarked
package org.lemmata.claim.length;

import org.jspecify.annotations.NullMarked;
