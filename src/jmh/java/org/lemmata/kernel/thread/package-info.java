/** Speed of sharing work between threads. */
@NullMarked
package org.lemmata.kernel.thread;

import org.jspecify.annotations.NullMarked;
