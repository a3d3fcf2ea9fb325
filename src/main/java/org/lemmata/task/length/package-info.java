/** Tasks of Izzo, Nichani and Lee (2025): regression on sequences of any length. */
@NullMarked
package org.lemmata.task.length;

import org.jspecify.annotations.NullMarked;
