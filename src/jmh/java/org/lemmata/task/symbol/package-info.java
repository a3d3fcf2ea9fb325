/** Speed of sampling template tasks. */
@NullMarked
package org.lemmata.task.symbol;

import org.jspecify.annotations.NullMarked;
