/** The arguments and expected results of an operation's benchmarks, one class per operation. */
@NullMarked
package org.lemmata.kernel.problem;

import org.jspecify.annotations.NullMarked;
