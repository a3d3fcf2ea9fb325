/** Task generators that know the answer, and the one list of them. */
@NullMarked
package org.lemmata.task;

import org.jspecify.annotations.NullMarked;
