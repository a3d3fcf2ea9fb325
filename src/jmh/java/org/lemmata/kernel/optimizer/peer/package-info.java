/** A step of AdamW compared with other libraries. */
@NullMarked
package org.lemmata.kernel.optimizer.peer;

import org.jspecify.annotations.NullMarked;
