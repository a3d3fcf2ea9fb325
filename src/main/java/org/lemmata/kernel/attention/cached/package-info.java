/** Attention of last queries, whose keys and values stand in a KV cache or in the rows of sequences. */
@NullMarked
package org.lemmata.kernel.attention.cached;

import org.jspecify.annotations.NullMarked;
