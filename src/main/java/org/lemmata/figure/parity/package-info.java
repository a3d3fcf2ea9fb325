/** Figure 4 of Kim and Suzuki (2024) and, beyond the paper, a general transformer trained on parity. */
@NullMarked
package org.lemmata.figure.parity;

import org.jspecify.annotations.NullMarked;
