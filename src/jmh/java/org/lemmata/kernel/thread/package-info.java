/** Benchmarks of the package. */
@NullMarked
package org.lemmata.kernel.thread;

import org.jspecify.annotations.NullMarked;
