/**
 * Two JMH JVMs that run at the same time. These classes are in a separate jar, which is added to the class path of any
 * benchmark jar.
 */
@NullMarked
package org.lemmata.benchmark.duet;

import org.jspecify.annotations.NullMarked;
