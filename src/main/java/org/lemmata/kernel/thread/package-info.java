/** Threads that share the chunks of a kernel call. */
@NullMarked
package org.lemmata.kernel.thread;

import org.jspecify.annotations.NullMarked;
