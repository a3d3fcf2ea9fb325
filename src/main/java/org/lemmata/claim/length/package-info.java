/**
 * The claims of Izzo, Nichani and Lee (2025), <i>Quantitative Bounds for Length Generalization in Transformers</i>.
 *
 * <p>The guided tour of its theory: section 3.2's attention at p bits is hardmax from 2^(p / gamma) tokens on
 * ({@link org.lemmata.claim.length.Hardmax}), with gamma the {@link org.lemmata.construct.length.LogitMargin} of a
 * {@link org.lemmata.construct.length.LimitAttention} ({@link org.lemmata.claim.length.LogitMarginMended}). Theorem 4.1
 * replaces a long sequence by an {@link org.lemmata.construct.length.AuxiliaryString}, which is built and proven there
 * and tested by {@link org.lemmata.claim.length.Theorem41String}; the length that follows from it is
 * {@link org.lemmata.construct.length.GeneralizationBound}, tested by {@link org.lemmata.claim.length.Theorem41Bound}
 * on pairs that short inputs do not tell apart. What is printed is refuted beside each.
 */
@NullMarked
package org.lemmata.claim.length;

import org.jspecify.annotations.NullMarked;
