/** The matrix product beside that of other libraries. */
@NullMarked
package org.lemmata.kernel.matmul.peer;

import org.jspecify.annotations.NullMarked;
