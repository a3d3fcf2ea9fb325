/** The matrix type that operations use. */
@NullMarked
package org.lemmata.kernel.matrix;

import org.jspecify.annotations.NullMarked;
