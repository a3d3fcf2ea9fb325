/** Bracket words of bounded depth: Richard (2024), section 4. */
@NullMarked
package org.lemmata.task.depth;

import org.jspecify.annotations.NullMarked;
