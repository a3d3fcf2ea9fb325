/** Benchmarks of the package. */
@NullMarked
package org.lemmata.kernel.normalization;

import org.jspecify.annotations.NullMarked;
