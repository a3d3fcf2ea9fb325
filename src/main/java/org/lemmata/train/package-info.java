/**
 * Training by gradient descent: schedules, the optimizer, streams of examples, and the training loop.
 *
 * <p>Seed and settings determine a run to the bit, for any number of threads and interruptions. Examples, shuffles and
 * dropout use generators with the key (seed, use, index), so the state of a run consists of its step, its parameters
 * and moments, and a few counters.
 */
@NullMarked
package org.lemmata.train;

import org.jspecify.annotations.NullMarked;
