/** Speed of drawing Boolean expressions with their simplified forms. */
@NullMarked
package org.lemmata.task.depth.logic;

import org.jspecify.annotations.NullMarked;
