/** The implementation chosen for each operation. */
@NullMarked
package org.lemmata.kernel;

import org.jspecify.annotations.NullMarked;
