/** Effects of rounding on attention: the key with the maximum weight, and sums, by format, length and site. */
@NullMarked
package org.lemmata.measure.precision;

import org.jspecify.annotations.NullMarked;
