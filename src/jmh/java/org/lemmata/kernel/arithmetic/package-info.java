/** Speed of sums and multiples of arrays. */
@NullMarked
package org.lemmata.kernel.arithmetic;

import org.jspecify.annotations.NullMarked;
