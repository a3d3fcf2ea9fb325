/** Speed of elementary functions. */
@NullMarked
package org.lemmata.kernel.elementary;

import org.jspecify.annotations.NullMarked;
