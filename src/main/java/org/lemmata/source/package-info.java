/** Sources in the literature: paper, result, equation. */
@NullMarked
package org.lemmata.source;

import org.jspecify.annotations.NullMarked;
