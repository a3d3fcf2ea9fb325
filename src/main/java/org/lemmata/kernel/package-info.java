/** The choice of an implementation for each operation, and a self-check of the kernels. */
@NullMarked
package org.lemmata.kernel;

import org.jspecify.annotations.NullMarked;
