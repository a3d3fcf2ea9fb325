/** Embedding of tokens and positions by rows of tables, and the gradients of the tables. */
@NullMarked
package org.lemmata.kernel.embedding;

import org.jspecify.annotations.NullMarked;
