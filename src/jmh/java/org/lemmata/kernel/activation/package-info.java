/** Benchmarks of the package. */
@NullMarked
package org.lemmata.kernel.activation;

import org.jspecify.annotations.NullMarked;
