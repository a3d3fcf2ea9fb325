/** Files that are whole or absent, and JSON for them. */
@NullMarked
package org.lemmata.file;

import org.jspecify.annotations.NullMarked;
