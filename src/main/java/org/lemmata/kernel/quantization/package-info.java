/** Rounding of tensors to number formats, and of sums as if they were exact. */
@NullMarked
package org.lemmata.kernel.quantization;

import org.jspecify.annotations.NullMarked;
