/** Runs JMH forks as child processes: plans their order, records their results, and continues interrupted runs. */
@NullMarked
package org.lemmata.bench;

import org.jspecify.annotations.NullMarked;
