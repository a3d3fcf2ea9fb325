/** Common parts of all benchmarks: checks before timing, rates of work, and the machine's peak rates. */
@NullMarked
package org.lemmata.benchmark;

import org.jspecify.annotations.NullMarked;
