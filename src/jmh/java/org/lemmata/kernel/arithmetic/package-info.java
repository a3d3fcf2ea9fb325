/** Benchmarks of the package. */
@NullMarked
package org.lemmata.kernel.arithmetic;

import org.jspecify.annotations.NullMarked;
