/**
 * The kernels of Boix-Adsera et al. (2024), When can transformers reason with abstract symbols?, section 4 and
 * appendices C to I.
 */
@NullMarked
package org.lemmata.construct.symbol;

import org.jspecify.annotations.NullMarked;
