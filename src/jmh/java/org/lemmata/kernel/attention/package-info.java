/** Speed of causal attention: SIMD beside scalar, forward and backward, and number format beside number format. */
@NullMarked
package org.lemmata.kernel.attention;

import org.jspecify.annotations.NullMarked;
