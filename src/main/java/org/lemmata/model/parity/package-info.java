/** The transformer of Kim and Suzuki (2024): positional attention, and a link function from averages to parities. */
@NullMarked
package org.lemmata.model.parity;

import org.jspecify.annotations.NullMarked;
