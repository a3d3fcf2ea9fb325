/** A training step beside that of other libraries. */
@NullMarked
package org.lemmata.train.peer;

import org.jspecify.annotations.NullMarked;
