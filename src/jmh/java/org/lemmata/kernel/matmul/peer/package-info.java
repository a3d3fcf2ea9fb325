/** The matrix product compared with other libraries. */
@NullMarked
package org.lemmata.kernel.matmul.peer;

import org.jspecify.annotations.NullMarked;
