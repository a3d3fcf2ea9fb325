/** Benchmark results, run records, machine identity, and comparisons between runs. */
@NullMarked
package org.lemmata.track;

import org.jspecify.annotations.NullMarked;
