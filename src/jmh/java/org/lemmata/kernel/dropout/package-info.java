/** Speed of dropout. */
@NullMarked
package org.lemmata.kernel.dropout;

import org.jspecify.annotations.NullMarked;
