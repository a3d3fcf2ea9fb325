/** Benchmarks of the package. */
@NullMarked
package org.lemmata.kernel.quantization;

import org.jspecify.annotations.NullMarked;
