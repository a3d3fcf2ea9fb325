/** Benchmarks of the sweep engine. */
@NullMarked
package org.lemmata.sweep;

import org.jspecify.annotations.NullMarked;
