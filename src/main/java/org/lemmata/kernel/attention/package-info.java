/**
 * Multi-head attention with all options that the five papers use, forward and backward: over ragged sequences, and of
 * last queries, whose keys and values stand in a KV cache or in the rows of sequences.
 *
 * <p>A call is cut into {@link org.lemmata.kernel.attention.AttentionUnit}s, and the passes over these are made of
 * blocks of queries and keys. What is public beyond the operations, the rounded ones next door are made of, too.
 */
@NullMarked
package org.lemmata.kernel.attention;

import org.jspecify.annotations.NullMarked;
