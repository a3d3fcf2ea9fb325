/** Training runs as configurations describe them: task, model, optimizer, loop and metrics put together. */
@NullMarked
package org.lemmata.experiment;

import org.jspecify.annotations.NullMarked;
