/** Benchmarks of the parity transformer. */
@NullMarked
package org.lemmata.model.parity;

import org.jspecify.annotations.NullMarked;
