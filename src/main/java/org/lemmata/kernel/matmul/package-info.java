/** Matrix product. */
@NullMarked
package org.lemmata.kernel.matmul;

import org.jspecify.annotations.NullMarked;
