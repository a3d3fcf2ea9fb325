/** What every room says of an argument that is wrong. */
@NullMarked
package org.lemmata.argument;

import org.jspecify.annotations.NullMarked;
