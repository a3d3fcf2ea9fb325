/** Benchmarks of the package. */
@NullMarked
package org.lemmata.kernel.matmul;

import org.jspecify.annotations.NullMarked;
