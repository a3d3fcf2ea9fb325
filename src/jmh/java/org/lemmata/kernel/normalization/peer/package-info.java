/** Layer normalization compared with other libraries. */
@NullMarked
package org.lemmata.kernel.normalization.peer;

import org.jspecify.annotations.NullMarked;
