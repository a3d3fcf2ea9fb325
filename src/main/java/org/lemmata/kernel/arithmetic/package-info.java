/** Sums and multiples of arrays, the small operations of a training step. */
@NullMarked
package org.lemmata.kernel.arithmetic;

import org.jspecify.annotations.NullMarked;
