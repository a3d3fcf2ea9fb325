/** Benchmarks of the package. */
@NullMarked
package org.lemmata.kernel.dropout;

import org.jspecify.annotations.NullMarked;
