/**
 * Access to other libraries for the benchmarks in packages named {@code peer}. The Maven profile {@code peers} compiles
 * these packages.
 */
@NullMarked
package org.lemmata.benchmark.peer;

import org.jspecify.annotations.NullMarked;
