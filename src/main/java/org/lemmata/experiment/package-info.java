/** Training runs built from configurations: task, model, optimizer, training loop and metrics. */
@NullMarked
package org.lemmata.experiment;

import org.jspecify.annotations.NullMarked;
