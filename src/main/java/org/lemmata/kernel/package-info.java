/** The implementations of all operations, chosen for this machine. */
@NullMarked
package org.lemmata.kernel;

import org.jspecify.annotations.NullMarked;
