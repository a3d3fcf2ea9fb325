/** Data sets: drawing and writing their splits with a manifest, and reading them. */
@NullMarked
package org.lemmata.dataset;

import org.jspecify.annotations.NullMarked;
