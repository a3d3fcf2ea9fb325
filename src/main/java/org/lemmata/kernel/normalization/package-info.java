/** Layer and root-mean-square normalization of rows. */
@NullMarked
package org.lemmata.kernel.normalization;

import org.jspecify.annotations.NullMarked;
