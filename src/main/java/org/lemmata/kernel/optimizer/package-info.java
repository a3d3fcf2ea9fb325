/** Steps of gradient descent over a flat array of parameters. */
@NullMarked
package org.lemmata.kernel.optimizer;

import org.jspecify.annotations.NullMarked;
