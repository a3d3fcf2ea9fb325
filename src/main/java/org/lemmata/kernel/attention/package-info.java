/** Causal multi-head attention over ragged sequences. */
@NullMarked
package org.lemmata.kernel.attention;

import org.jspecify.annotations.NullMarked;
