/** Weights in closed form, one class per theorem, and their list. */
@NullMarked
package org.lemmata.construct;

import org.jspecify.annotations.NullMarked;
