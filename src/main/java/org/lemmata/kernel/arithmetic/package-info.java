/** Sums and multiples of arrays: what stands between the larger operations of a training step. */
@NullMarked
package org.lemmata.kernel.arithmetic;

import org.jspecify.annotations.NullMarked;
