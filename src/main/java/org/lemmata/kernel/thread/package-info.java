/** Threads that share the chunks of one kernel call. */
@NullMarked
package org.lemmata.kernel.thread;

import org.jspecify.annotations.NullMarked;
