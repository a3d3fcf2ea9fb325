/** Softmax compared with other libraries. */
@NullMarked
package org.lemmata.kernel.softmax.peer;

import org.jspecify.annotations.NullMarked;
