/** The arguments of test calls, one class per operation: for {@code doctor} and for the operation's benchmark. */
@NullMarked
package org.lemmata.kernel.problem;

import org.jspecify.annotations.NullMarked;
