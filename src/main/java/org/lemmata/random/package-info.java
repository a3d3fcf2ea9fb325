/** Random numbers that depend on a key and a counter alone. */
@NullMarked
package org.lemmata.random;

import org.jspecify.annotations.NullMarked;
