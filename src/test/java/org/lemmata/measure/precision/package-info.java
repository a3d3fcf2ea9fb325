/** What rounding does to attention: which key is attended to most, and how far sums run, by format, length and site. */
@NullMarked
package org.lemmata.measure.precision;

import org.jspecify.annotations.NullMarked;
