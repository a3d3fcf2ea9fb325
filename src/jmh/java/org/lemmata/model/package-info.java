/** Benchmarks of {@code org.lemmata.model}. */
@NullMarked
package org.lemmata.model;

import org.jspecify.annotations.NullMarked;
