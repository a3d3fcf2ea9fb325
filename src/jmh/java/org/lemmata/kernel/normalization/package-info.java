/** Speed of normalization. */
@NullMarked
package org.lemmata.kernel.normalization;

import org.jspecify.annotations.NullMarked;
