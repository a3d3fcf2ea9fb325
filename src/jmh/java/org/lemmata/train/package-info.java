/** Benchmarks of training steps. */
@NullMarked
package org.lemmata.train;

import org.jspecify.annotations.NullMarked;
