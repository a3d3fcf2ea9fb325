/** The parity of a subset of bits, with its intermediate parities: Kim and Suzuki (2024). */
@NullMarked
package org.lemmata.task.parity;

import org.jspecify.annotations.NullMarked;
