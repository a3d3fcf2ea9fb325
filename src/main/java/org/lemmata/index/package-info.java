/** Index structures: offsets of ragged sequences, lists and sets of binary words, parity trees, packed signs. */
@NullMarked
package org.lemmata.index;

import org.jspecify.annotations.NullMarked;
