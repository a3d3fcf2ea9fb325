/** Dropout with a mask that is recomputed instead of stored. */
@NullMarked
package org.lemmata.kernel.dropout;

import org.jspecify.annotations.NullMarked;
