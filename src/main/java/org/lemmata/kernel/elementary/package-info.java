/** Elementary functions and the vector species they run on. */
@NullMarked
package org.lemmata.kernel.elementary;

import org.jspecify.annotations.NullMarked;
