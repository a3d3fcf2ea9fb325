/** Elementary functions, and the vector species of all kernels. */
@NullMarked
package org.lemmata.kernel.elementary;

import org.jspecify.annotations.NullMarked;
