/** Boolean expressions with their simplified forms: Richard (2024), sections 2 and 5.1. */
@NullMarked
package org.lemmata.task.depth.logic;

import org.jspecify.annotations.NullMarked;
