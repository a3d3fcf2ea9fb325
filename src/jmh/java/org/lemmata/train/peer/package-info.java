/** A training step compared with other libraries. */
@NullMarked
package org.lemmata.train.peer;

import org.jspecify.annotations.NullMarked;
