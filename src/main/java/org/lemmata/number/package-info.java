/** Number formats and rounding. */
@NullMarked
package org.lemmata.number;

import org.jspecify.annotations.NullMarked;
