/**
 * Multi-head attention over ragged sequences with all options that the five papers use, forward and backward.
 *
 * <p>A call is cut into {@link org.lemmata.kernel.attention.AttentionUnit}s, which are processed in blocks of queries
 * and keys. Some classes are public only because the packages {@code cached} and {@code rounded} use them.
 */
@NullMarked
package org.lemmata.kernel.attention;

import org.jspecify.annotations.NullMarked;
