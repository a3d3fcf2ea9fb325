/** Speed of losses and their gradients. */
@NullMarked
package org.lemmata.kernel.loss;

import org.jspecify.annotations.NullMarked;
