/** A step of AdamW beside that of other libraries. */
@NullMarked
package org.lemmata.kernel.optimizer.peer;

import org.jspecify.annotations.NullMarked;
