/**
 * Two JMH JVMs that run at the same time. These classes are a separate jar, because it is added to the class path of
 * any benchmark jar.
 */
@NullMarked
package org.lemmata.benchmark.duet;

import org.jspecify.annotations.NullMarked;
