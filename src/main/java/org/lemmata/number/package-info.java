/** Number formats, rounding modes, ulp. */
@NullMarked
package org.lemmata.number;

import org.jspecify.annotations.NullMarked;
