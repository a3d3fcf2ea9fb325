/** Training steps, timed. */
@NullMarked
package org.lemmata.train;

import org.jspecify.annotations.NullMarked;
