/** Random numbers that depend only on a key and a counter. */
@NullMarked
package org.lemmata.random;

import org.jspecify.annotations.NullMarked;
