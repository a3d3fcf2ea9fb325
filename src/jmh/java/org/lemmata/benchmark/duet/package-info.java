/** Two JVMs of JMH at the same time; a jar of its own, since it goes on the class path of any jar of benchmarks. */
@NullMarked
package org.lemmata.benchmark.duet;

import org.jspecify.annotations.NullMarked;
