/** Index structures on fastutil: ragged offsets, distinct-word sets. */
@NullMarked
package org.lemmata.index;

import org.jspecify.annotations.NullMarked;
