/** Index structures: offsets of ragged sequences, sets and lists of binary words, parity trees, packed signs. */
@NullMarked
package org.lemmata.index;

import org.jspecify.annotations.NullMarked;
