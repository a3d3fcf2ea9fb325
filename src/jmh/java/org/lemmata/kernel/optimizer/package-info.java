/** Benchmarks of the package. */
@NullMarked
package org.lemmata.kernel.optimizer;

import org.jspecify.annotations.NullMarked;
