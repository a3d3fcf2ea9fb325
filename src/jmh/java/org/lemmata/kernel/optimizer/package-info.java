/** Speed of optimizer steps and of gradient norms. */
@NullMarked
package org.lemmata.kernel.optimizer;

import org.jspecify.annotations.NullMarked;
