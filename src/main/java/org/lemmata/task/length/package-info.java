/** Tasks of Izzo, Nichani and Lee (2025): a real number of a sequence of any length. */
@NullMarked
package org.lemmata.task.length;

import org.jspecify.annotations.NullMarked;
