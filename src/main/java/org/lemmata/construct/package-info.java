/** Closed-form weights, one class a theorem, and the one list of them. */
@NullMarked
package org.lemmata.construct;

import org.jspecify.annotations.NullMarked;
