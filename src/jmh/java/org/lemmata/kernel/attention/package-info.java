/** Benchmarks of attention: SIMD compared with scalar, forward and backward, and number formats. */
@NullMarked
package org.lemmata.kernel.attention;

import org.jspecify.annotations.NullMarked;
