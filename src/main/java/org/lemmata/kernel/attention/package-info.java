/** Multi-head attention over ragged sequences, with all options that the five papers use, forward and backward. */
@NullMarked
package org.lemmata.kernel.attention;

import org.jspecify.annotations.NullMarked;
