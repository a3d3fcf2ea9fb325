/** The figures of Boix-Adsera et al. (2024) of trained models, sentence by sentence. */
@NullMarked
package org.lemmata.claim.symbol.figure;

import org.jspecify.annotations.NullMarked;
