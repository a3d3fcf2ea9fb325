/** GELU compared with other libraries. */
@NullMarked
package org.lemmata.kernel.activation.peer;

import org.jspecify.annotations.NullMarked;
