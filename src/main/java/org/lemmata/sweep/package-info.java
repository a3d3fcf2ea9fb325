/** Grids of trials: sweep files, their cells, the directories of results, and the engines that run cells. */
@NullMarked
package org.lemmata.sweep;

import org.jspecify.annotations.NullMarked;
