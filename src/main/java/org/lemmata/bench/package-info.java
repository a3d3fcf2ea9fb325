/** Forks of JMH as child processes: which, in what order, what they measured, and how an interrupted run goes on. */
@NullMarked
package org.lemmata.bench;

import org.jspecify.annotations.NullMarked;
