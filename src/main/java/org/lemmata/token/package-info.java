/** Vocabularies, examples, and ragged batches of token sequences. */
@NullMarked
package org.lemmata.token;

import org.jspecify.annotations.NullMarked;
