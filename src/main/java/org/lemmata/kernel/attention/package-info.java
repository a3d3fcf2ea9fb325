/**
 * Multi-head attention over ragged sequences, forward and backward, with the options that the papers need; also with
 * tensors and sums rounded to number formats.
 *
 * <p>Unless weights are uniform, a SIMD call is divided into {@link org.lemmata.kernel.attention.AttentionUnit}s, which
 * are processed in blocks of queries and keys. Some classes are public only because the package {@code cached} uses
 * them.
 */
@NullMarked
package org.lemmata.kernel.attention;

import org.jspecify.annotations.NullMarked;
