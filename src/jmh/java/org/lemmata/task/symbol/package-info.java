/** Samples of template tasks a second. */
@NullMarked
package org.lemmata.task.symbol;

import org.jspecify.annotations.NullMarked;
