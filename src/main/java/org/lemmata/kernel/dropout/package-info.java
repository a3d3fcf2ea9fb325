/** Dropout with a mask that is computed, not stored. */
@NullMarked
package org.lemmata.kernel.dropout;

import org.jspecify.annotations.NullMarked;
