/** Rows of a table for tokens and positions, and the gradient of the tables. */
@NullMarked
package org.lemmata.kernel.embedding;

import org.jspecify.annotations.NullMarked;
