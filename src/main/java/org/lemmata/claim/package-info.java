/** Statements with the range they are tested on, their checks and their verdicts. */
@NullMarked
package org.lemmata.claim;

import org.jspecify.annotations.NullMarked;
