/**
 * The kernels of Boix-Adsera et al. (2024), When can transformers reason with abstract symbols?, sections 4 and C to I.
 */
@NullMarked
package org.lemmata.construct.symbol;

import org.jspecify.annotations.NullMarked;
