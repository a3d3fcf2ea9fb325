/**
 * Other people's libraries, as the benchmarks in packages named {@code peer} need them; compiled by the profile peers.
 */
@NullMarked
package org.lemmata.benchmark.peer;

import org.jspecify.annotations.NullMarked;
