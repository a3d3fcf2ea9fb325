/** Vocabulary, example, ragged batch. */
@NullMarked
package org.lemmata.token;

import org.jspecify.annotations.NullMarked;
