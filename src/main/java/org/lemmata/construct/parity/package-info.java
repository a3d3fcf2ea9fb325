/** The training algorithms of Kim and Suzuki (2024), with one or log2 k steps, and the chain that they learn. */
@NullMarked
package org.lemmata.construct.parity;

import org.jspecify.annotations.NullMarked;
