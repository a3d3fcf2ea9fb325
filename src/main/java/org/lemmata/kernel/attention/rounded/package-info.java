/**
 * Attention with tensors and sums rounded to number formats at the sites of
 * {@link org.lemmata.kernel.attention.rounded.AttentionRounding}, with SIMD and as a scalar reference.
 */
@NullMarked
package org.lemmata.kernel.attention.rounded;

import org.jspecify.annotations.NullMarked;
