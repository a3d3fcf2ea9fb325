/**
 * Attention with its tensors, and its sums, rounded to number formats: site by site as
 * {@link org.lemmata.kernel.attention.rounded.AttentionRounding} names them, on lanes and as the reference.
 */
@NullMarked
package org.lemmata.kernel.attention.rounded;

import org.jspecify.annotations.NullMarked;
