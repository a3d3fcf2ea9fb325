/** Atomic files, and JSON. */
@NullMarked
package org.lemmata.file;

import org.jspecify.annotations.NullMarked;
