/** Speed of embeddings. */
@NullMarked
package org.lemmata.kernel.embedding;

import org.jspecify.annotations.NullMarked;
