/** Speed of drawing bracket words. */
@NullMarked
package org.lemmata.task.depth;

import org.jspecify.annotations.NullMarked;
