/** Claims: statements with the range of their tests, their checks and their verdicts. */
@NullMarked
package org.lemmata.claim;

import org.jspecify.annotations.NullMarked;
