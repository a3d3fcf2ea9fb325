/**
 * The claims of Boix-Adsera et al. (2024), <i>When can transformers reason with abstract symbols?</i>
 *
 * <p>Section 5 and appendix J: {@code Copying}, on a {@code CopyingModel}.
 */
@NullMarked
package org.lemmata.claim.symbol;

import org.jspecify.annotations.NullMarked;
