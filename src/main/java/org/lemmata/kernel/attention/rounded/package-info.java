/**
 * Attention with its tensors and sums rounded to number formats, site by site as
 * {@link org.lemmata.kernel.attention.rounded.AttentionRounding} lists them, on lanes and as a scalar reference.
 */
@NullMarked
package org.lemmata.kernel.attention.rounded;

import org.jspecify.annotations.NullMarked;
