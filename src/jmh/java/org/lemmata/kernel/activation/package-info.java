/** Speed of activation functions. */
@NullMarked
package org.lemmata.kernel.activation;

import org.jspecify.annotations.NullMarked;
