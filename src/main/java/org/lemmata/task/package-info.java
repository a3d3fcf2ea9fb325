/** Tasks: generators of examples with their answers, and the list of all tasks. */
@NullMarked
package org.lemmata.task;

import org.jspecify.annotations.NullMarked;
