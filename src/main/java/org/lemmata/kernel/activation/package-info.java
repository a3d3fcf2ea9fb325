/** Activation functions, element by element. */
@NullMarked
package org.lemmata.kernel.activation;

import org.jspecify.annotations.NullMarked;
