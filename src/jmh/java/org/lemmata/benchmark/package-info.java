/** Common parts of all benchmarks: checks before timing, rates of work, and the peak rates of the machine. */
@NullMarked
package org.lemmata.benchmark;

import org.jspecify.annotations.NullMarked;
