/** The arguments and expected results of the benchmarks of an operation, with one class per operation. */
@NullMarked
package org.lemmata.kernel.problem;

import org.jspecify.annotations.NullMarked;
