/** Two JMH JVMs at the same time. A separate jar, because it is added to the class path of any benchmark jar. */
@NullMarked
package org.lemmata.benchmark.duet;

import org.jspecify.annotations.NullMarked;
