/** Checks of arguments, with uniform error messages. */
@NullMarked
package org.lemmata.argument;

import org.jspecify.annotations.NullMarked;
