/** How benchmarks are started and recorded. */
@NullMarked
package org.lemmata.benchmark;

import org.jspecify.annotations.NullMarked;
