/**
 * Multi-head attention over ragged sequences with all options that the five papers use, forward and backward.
 *
 * <p>A call is cut into {@link org.lemmata.kernel.attention.AttentionUnit}s, and the passes over these are made of
 * blocks of queries and keys. Of what is public beyond the operation, the cached and rounded ones are made.
 */
@NullMarked
package org.lemmata.kernel.attention;

import org.jspecify.annotations.NullMarked;
