/** Attention of the last query of each sequence, with keys and values from a KV cache or from the rows of sequences. */
@NullMarked
package org.lemmata.kernel.attention.cached;

import org.jspecify.annotations.NullMarked;
