/** Files that are whole or absent. */
@NullMarked
package org.lemmata.file;

import org.jspecify.annotations.NullMarked;
