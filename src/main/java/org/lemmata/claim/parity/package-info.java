/** The claims of Kim and Suzuki (2024), <i>Transformers Provably Solve Parity Efficiently with Chain of Thought</i>. */
@NullMarked
package org.lemmata.claim.parity;

import org.jspecify.annotations.NullMarked;
