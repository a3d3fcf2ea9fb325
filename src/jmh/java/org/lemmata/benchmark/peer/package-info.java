/** Access to other libraries for the benchmarks in packages named {@code peer}; compiled by the profile peers. */
@NullMarked
package org.lemmata.benchmark.peer;

import org.jspecify.annotations.NullMarked;
