/** Grids of trials: what a sweep file says, its cells, where their results go, and the engines that run them. */
@NullMarked
package org.lemmata.sweep;

import org.jspecify.annotations.NullMarked;
