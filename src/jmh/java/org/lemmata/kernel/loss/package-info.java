/** Benchmarks of the package. */
@NullMarked
package org.lemmata.kernel.loss;

import org.jspecify.annotations.NullMarked;
