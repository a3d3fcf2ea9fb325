/** Causal attention compared with other libraries. */
@NullMarked
package org.lemmata.kernel.attention.peer;

import org.jspecify.annotations.NullMarked;
