/**
 * The claims of Izzo, Nichani and Lee (2025), <i>Quantitative Bounds for Length Generalization in Transformers</i>.
 *
 * <p>Figures 1 to 3 are judged from trained models: {@link org.lemmata.claim.length.Figure1} of
 * {@link org.lemmata.task.length.SimpleTask}, {@link org.lemmata.claim.length.Figure2} and
 * {@link org.lemmata.claim.length.Figure3} of {@link org.lemmata.task.length.ModPTask}, which look at the same runs.
 */
@NullMarked
package org.lemmata.claim.length;

import org.jspecify.annotations.NullMarked;
