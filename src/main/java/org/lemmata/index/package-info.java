/** Index structures on fastutil: ragged offsets, distinct-word sets, parity trees, packed signs. */
@NullMarked
package org.lemmata.index;

import org.jspecify.annotations.NullMarked;
