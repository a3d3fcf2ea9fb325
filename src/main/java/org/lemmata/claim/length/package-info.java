/** The claims of Izzo, Nichani and Lee (2025), <i>Quantitative Bounds for Length Generalization in Transformers</i>. */
@NullMarked
package org.lemmata.claim.length;

import org.jspecify.annotations.NullMarked;
