/** Layer normalization beside that of other libraries. */
@NullMarked
package org.lemmata.kernel.normalization.peer;

import org.jspecify.annotations.NullMarked;
