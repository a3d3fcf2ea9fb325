/** Rounding of tensors and of exact sums to number formats. */
@NullMarked
package org.lemmata.kernel.quantization;

import org.jspecify.annotations.NullMarked;
