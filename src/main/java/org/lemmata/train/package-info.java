/**
 * Gradient descent: schedules, the optimizer, streams of examples, the loop.
 *
 * <p>A run follows from its seed and settings alone, to the bit, for any number of threads and wherever it was
 * interrupted: examples, shuffles and dropout come from generators that (seed, use, index) name, so that the state of a
 * run is its step, its parameters and moments, and a few counters.
 */
@NullMarked
package org.lemmata.train;

import org.jspecify.annotations.NullMarked;
