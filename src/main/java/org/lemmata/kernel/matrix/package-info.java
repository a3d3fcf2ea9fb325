/** The matrix, as operations take it. */
@NullMarked
package org.lemmata.kernel.matrix;

import org.jspecify.annotations.NullMarked;
