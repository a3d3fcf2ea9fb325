/** Benchmarks of the package. */
@NullMarked
package org.lemmata.kernel.feedforward;

import org.jspecify.annotations.NullMarked;
