/** What a thing is taken from: paper, result, equation. */
@NullMarked
package org.lemmata.source;

import org.jspecify.annotations.NullMarked;
