/** What an operation is called on, one class an operation: for {@code doctor}, and for the operation's benchmark. */
@NullMarked
package org.lemmata.kernel.problem;

import org.jspecify.annotations.NullMarked;
