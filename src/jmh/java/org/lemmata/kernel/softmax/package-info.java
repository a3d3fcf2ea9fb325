/** Benchmarks of the package. */
@NullMarked
package org.lemmata.kernel.softmax;

import org.jspecify.annotations.NullMarked;
