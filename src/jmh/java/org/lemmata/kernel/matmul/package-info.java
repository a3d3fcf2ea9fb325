/** Speed of the matrix product, with and without rounded steps. */
@NullMarked
package org.lemmata.kernel.matmul;

import org.jspecify.annotations.NullMarked;
