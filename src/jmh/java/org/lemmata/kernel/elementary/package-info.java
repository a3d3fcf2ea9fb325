/** Benchmarks of the package. */
@NullMarked
package org.lemmata.kernel.elementary;

import org.jspecify.annotations.NullMarked;
