/** Speed of rounding to number formats. */
@NullMarked
package org.lemmata.kernel.quantization;

import org.jspecify.annotations.NullMarked;
