/** Losses of a batch, and their gradients. */
@NullMarked
package org.lemmata.kernel.loss;

import org.jspecify.annotations.NullMarked;
