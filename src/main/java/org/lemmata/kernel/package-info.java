/** The chosen implementation of each operation. */
@NullMarked
package org.lemmata.kernel;

import org.jspecify.annotations.NullMarked;
