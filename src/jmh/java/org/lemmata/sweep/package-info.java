/** The engine of sweeps, timed. */
@NullMarked
package org.lemmata.sweep;

import org.jspecify.annotations.NullMarked;
