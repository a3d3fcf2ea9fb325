/** Benchmarks of the package. */
@NullMarked
package org.lemmata.kernel.embedding;

import org.jspecify.annotations.NullMarked;
